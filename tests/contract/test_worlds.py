"""Worlds in every game: a seat cannot tell one from the real state, nor a world's world from it."""

from __future__ import annotations

import os
import random

import pytest

import games
from games.core import Game, Rng, State
from tests.play import begin, variants, walk

MATCHES = 15 if os.environ.get("TABLETOP_CAMPAIGN") else 2
MOST_STATES = 12
"""States of a match that are looked at."""

GAMES = [games.load(name) for name in games.names()]
TABLES = [pytest.param(game, players, id=f"{game.name}-{players}") for game in GAMES for players in game.players]


def same_to(seat: int | None, world: State, state: State) -> bool:
    """Whether a seat sees, is asked and may do the same in two states."""
    if world.view(seat) != state.view(seat) or world.pending != state.pending:
        return False
    if seat is None or seat not in state.pending:
        return True
    answers = [action.to_json() for action in state.actions_of(seat)]
    return (
        world.question(seat) == state.question(seat)
        and [action.to_json() for action in world.actions_of(seat)] == answers
        and all(world.read(seat, answer).to_json() == answer for answer in answers[:5])
    )


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_seat_cannot_tell_its_worlds_from_the_state(game: Game, players: int) -> None:
    ways = variants(game)
    for seed in range(MATCHES):
        first = begin(game, players, seed, ways[(seed * 5 + players) % len(ways)]) or game.begin(players=players, seed=seed)
        states = list(walk(first, random.Random(seed)))
        for number, state in enumerate(states[:: max(1, len(states) // MOST_STATES)]):
            seat = (None, *range(players))[(seed + number) % (players + 1)]
            world = state.resample(seat, Rng.of(seed, number))
            assert same_to(seat, world, state)
            assert same_to(seat, world.resample(seat, Rng.of(number)), state)
            assert state.resample(seat, Rng.of(seed, number)) == world
            assert game.from_json(world.to_json()) == world
            assert game.from_json(state.to_json()).resample(seat, Rng.of(seed, number)) == world
