"""The bots: policies that read the position as their seat knows it. `steady` has what `bot:steady` considers."""

from __future__ import annotations

from collections.abc import Mapping

from games.core import Policy, policy, random_policy
from games.core.softmax import Softmax, stored_weights
from games.coup.steady import ask, menu


def playing(softmax: Softmax) -> Policy:
    """The policy that draws every move by a softmax."""
    return policy(softmax.choose)


SOFTMAX = Softmax(ask, menu, stored_weights("coup_steady"))
BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": playing(SOFTMAX)}
