"""How fast the rules are: uniformly random play of every game, against a floor that does next to nothing for a decision."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import games
from games.core import Game
from tools.bench import playouts
from tools.bench.figure import Figure

BUDGETS = {"oriflamme": 1.0, "coup": 0.5, "cat_in_the_box": 0.35, "dixiquote": 0.35}
_ROUNDS = 7
_SLICE = 0.12
"""Seconds of each turn of play or floor; they take turns, so that whatever else the machine does troubles both alike."""


@dataclass(frozen=True)
class Option:
    """One of five that the floor builds for a decision."""

    seat: int
    kind: str
    target: int


def floor(rng: random.Random) -> Iterator[None]:
    """Decisions that build five small frozen values and pick one."""
    while True:
        rng.choice([Option(0, "move", target) for target in range(5)])
        yield


def play(game: Game, players: int, rng: random.Random) -> Iterator[None]:
    """Decisions of matches played at random, one after the other."""
    seed = 0
    while True:
        state = game.begin(players=players, seed=seed)
        while not state.has_ended:
            state = rng.choice(state.actions).next_state
            yield
        seed += 1


def figures() -> Iterator[Figure]:
    """Two figures a game, at its default and at its largest number of seats, with the game's budget."""
    for name in games.names():
        game = games.load(name)
        for players in (game.default_players, game.players[-1]):
            yield _figure(game, players)
    yield from playouts.figures()


def _figure(game: Game, players: int) -> Figure:
    ratio, speed, base = _compared(lambda rng: play(game, players, rng))
    note = f"{speed:,.0f} decisions/s, the floor {base:,.0f}; {players} seats"
    seats = "" if players == game.default_players else f", {players} seats"
    what = f"rules: {game.name} at random against the floor loop{seats}"
    return Figure(what, ratio, least=BUDGETS[game.name], note=note)


def _compared(players: Callable[[random.Random], Iterator[None]]) -> tuple[float, float, float]:
    ours, base = players(random.Random(1)), floor(random.Random(1))
    _speed(ours), _speed(base)
    pairs = [(_speed(ours), _speed(base)) for _ in range(_ROUNDS)]
    return median(a / b for a, b in pairs), median(a for a, _ in pairs), median(b for _, b in pairs)


def _speed(decisions: Iterator[None]) -> float:
    """Decisions a second of this process's time."""
    count, began = 0, time.process_time()
    while (took := time.process_time() - began) < _SLICE:
        for _ in range(500):
            next(decisions)
        count += 500
    return count / took
