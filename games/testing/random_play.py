"""Matches played at random, under every preset and option of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from games.core import Event, Game, Option, State

MOST_DECISIONS = 5000


def walk(state: State, rng: random.Random, strike_rate: float = 0.0) -> Iterator[State]:
    """The states of a match played at random from `state`, which comes first; some decisions are strike-outs instead."""
    yield state
    for _ in range(MOST_DECISIONS):
        if state.has_ended:
            return
        seat = rng.choice(state.pending)
        state = state.strike_out(seat) if rng.random() < strike_rate else rng.choice(state.actions_of(seat)).next_state
        yield state
    raise AssertionError(f"no end after {MOST_DECISIONS} decisions")


def told_walk(state: State, rng: random.Random, strike_rate: float = 0.0) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """The same states as of `walk`, each with its events."""
    yield state, state.events
    for _ in range(MOST_DECISIONS):
        if state.has_ended:
            return
        seat = rng.choice(state.pending)
        is_struck = rng.random() < strike_rate
        state, events = (
            state.strike_out_with_events(seat) if is_struck else rng.choice(state.actions_of(seat)).next_with_events()
        )
        yield state, events
    raise AssertionError(f"no end after {MOST_DECISIONS} decisions")


def variants(game: Game) -> list[dict[str, Any]]:
    """The presets, and every choice and some numbers of every option by itself."""
    ways: list[dict[str, Any]] = [{"rules": preset} for preset in game.presets]
    for name, option in game.options.items():
        ways += [{name: value} for value in (*option.choices, *numbers(option)) if value != option.default]
    return ways


def numbers(option: Option) -> set[int]:
    """The lowest numbers that an option takes, and its highest one if that does not make matches long."""
    if option.minimum is None:
        return set()
    highest = option.minimum + 20 if option.maximum is None else option.maximum
    return {option.minimum, min(option.minimum + 2, highest), min(option.minimum + 20, highest)}


def begin(game: Game, players: int, seed: int, variant: dict[str, Any]) -> State | None:
    """A match of a variant; None when the variant is not for this number of players."""
    try:
        return game.begin(players=players, seed=seed, **variant)
    except ValueError:
        return None
