"""The bots: policies that read the position as their seat knows it. `steady` has what `bot:steady` considers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core import Policy, Rng, policy, random_policy
from games.core.policy import Choosing
from games.core.softmax import Softmax, stored_weights
from games.coup.actions import PASS
from games.coup.steady import ask, menu
from games.coup.transitions import settle


def playing(softmax: Softmax) -> Policy:
    """The policy that draws every move by a softmax. In a playout it answers a window in one step, as most seats pass."""

    def step(position: Any, rng: Rng, others: Mapping[int, Choosing]) -> Any:
        pending = position[4]
        if len(pending) > 1:
            return settle(position, *softmax.first(position, pending, rng, PASS, others))
        seat = pending[0]
        return position.apply(seat, others.get(seat, softmax.choose)(position, seat, rng), None)

    return policy(softmax.choose, step)


SOFTMAX = Softmax(ask, menu, stored_weights("coup_steady"))
BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": playing(SOFTMAX)}
