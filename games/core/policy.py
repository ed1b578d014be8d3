"""Policies: how a seat decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from types import MappingProxyType
from typing import Any

from games.core.rng import Rng
from games.core.state import Action, State

Policy = Callable[[State, int, Rng], Action]
"""A policy: from a state, a seat that is pending in it, and random numbers to a legal action of that seat.

It reads only what the seat knows: in every state of the seat's information set it gives the same move for the same random
numbers. So a world that `State.resample` draws serves it as well as the state, and it plays playouts from such worlds.
"""

Choosing = Callable[[Any, int, Rng], Any]
"""A policy that gives the legal move itself, from a game's own position."""

Stepping = Callable[[Any, Rng], Any]
"""A part of a playout: from a state in which somebody decides to a later one."""

_NOBODY: Mapping[int, Choosing] = MappingProxyType({})


def policy(choose: Choosing, step: Callable[[Any, Rng, Mapping[int, Choosing]], Any] | None = None) -> Policy:
    """The policy of a function that gives the legal move itself.

    `step` makes several decisions of a playout at once, as often as the policy would make them one by one: from a state, random
    numbers, and the seats that decide otherwise, to a later state. None: one decision at a time.
    """

    @wraps(choose)
    def play(state: State, seat: int, rng: Rng) -> Action:
        return _new(Action, (state, seat, choose(state, seat, rng)))

    play.choose, play.step = choose, step  # type: ignore[attr-defined]  # functions have no declared attributes
    return play


def choosing(one: Policy) -> Choosing:
    """The function of a policy that gives the legal move itself."""
    found: Choosing | None = getattr(one, "choose", None)
    return found or (lambda state, seat, rng: one(state, seat, rng).move)


def stepping(one: Policy, others: Mapping[int, Choosing] = _NOBODY) -> Stepping:
    """How a playout continues by a policy, in which some seats decide otherwise."""
    if found := getattr(one, "step", None):
        return partial(found, others=others)
    choose = choosing(one)

    def step(state: Any, rng: Rng) -> Any:
        seat = state.pending[0]
        return state.apply(seat, others.get(seat, choose)(state, seat, rng), None)

    return step


@policy
def random_policy(state: State, seat: int, rng: Rng) -> Any:
    """Any legal move, each equally likely."""
    return rng.choice(state.legal_moves(seat))


def noisy(part: float) -> Callable[[Policy], Policy]:
    """Makes of a policy one that makes a part of its moves at random."""

    def adapt(playing: Policy) -> Policy:
        choose, at_random = choosing(playing), choosing(random_policy)
        return policy(lambda state, seat, rng: (at_random if rng.random() < part else choose)(state, seat, rng))

    return adapt


_new = tuple.__new__
