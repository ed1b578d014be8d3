"""Worlds for a search: states drawn from a seat's information set, the likelier ones more often."""

from __future__ import annotations

from collections.abc import Callable

from games.core import Rng, State

Worlds = Callable[[Rng], State]
"""A source of worlds: each call draws one."""

_MOST_DRAWS = 16


def worlds_of(state: State, seat: int | None) -> Worlds:
    """The worlds of a seat's information set (None: a spectator's), each as often as what the others did makes it likely.

    `Game.likelihood` judges a world. A draw is accepted with that probability; after 16 refusals one of them is taken, the
    likelier ones more often.
    """
    if state.game.likelihood is None:
        return lambda rng: state.resample(seat, rng)
    if state.game.likely_worlds is not None and (drawn := state.game.likely_worlds(state, seat)) is not None:
        return drawn
    likelihood = state.game.likelihood(state, seat)
    return lambda rng: _accepted(state, seat, likelihood, rng)


def _accepted(state: State, seat: int | None, likelihood: Callable[[State], float], rng: Rng) -> State:
    total, kept = 0.0, state
    for _ in range(_MOST_DRAWS):
        world = state.resample(seat, rng)
        weight = likelihood(world)
        if rng.random() < weight:
            return world
        total += weight
        if rng.random() * total <= weight:
            kept = world
    return kept
