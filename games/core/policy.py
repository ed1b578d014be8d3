"""Policies: how a seat decides."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from games.core.rng import Rng
from games.core.state import Action, State

Policy = Callable[[State, int, Rng], Action]
"""A policy: from a state, a seat that is pending in it, and random numbers to a legal action of that seat.

It reads only what the seat knows: in every state of the seat's information set it gives the same move for the same random
numbers. So a world that `State.resample` draws serves it as well as the state, and it plays playouts from such worlds.
"""


def policy(choose: Callable[[Any, int, Rng], Any]) -> Policy:
    """The policy of a function that gives the legal move itself, from a game's own position."""

    @wraps(choose)
    def play(state: State, seat: int, rng: Rng) -> Action:
        return _new(Action, (state, seat, choose(state, seat, rng)))

    play.choose = choose  # type: ignore[attr-defined]  # functions have no declared attributes
    return play


def choosing(one: Policy) -> Callable[[Any, int, Rng], Any]:
    """The function of a policy that gives the legal move itself."""
    found: Callable[[Any, int, Rng], Any] | None = getattr(one, "choose", None)
    return found or (lambda state, seat, rng: one(state, seat, rng).move)


@policy
def random_policy(state: State, seat: int, rng: Rng) -> Any:
    """Any legal move, each equally likely."""
    return rng.choice(state.legal_moves(seat))


_new = tuple.__new__
