"""What a playout costs: matches from their middle to the end by the policy of `bot:steady`, against the same by random play.

Beside it, how many random playouts a second there are when each starts from a new world of the seat that decides.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

import games
from games.core import Game, Rng, State
from tools.bench.figure import Figure

BUDGET = 3.0
_MATCHES = 60
_ROUNDS = 5
_WORLDS = 10
"""Worlds drawn from one position, as a search does."""


def figures() -> Iterator[Figure]:
    """A figure for each game at its smallest, default and largest number of seats."""
    for name in games.names():
        game = games.load(name)
        for players in sorted({game.players[0], game.default_players, game.players[-1]}):
            yield _figure(game, players)
            yield _worlds_figure(game, players)


def _figure(game: Game, players: int) -> Figure:
    middles = [_middle(game, players, seed) for seed in range(_MATCHES)]
    pairs = [(_cost(middles, _steadily), _cost(middles, _at_random)) for _ in range(_ROUNDS)]
    ours, base = (1e3 * median(costs) for costs in zip(*pairs, strict=True))
    what = f"playouts: {game.name} by bot:steady against random, {players} seats"
    note = f"{ours:.2f} ms from the middle of a match to its end, at random {base:.2f} ms"
    return Figure(what, median(a / b for a, b in pairs), most=BUDGET, note=note)


def _worlds_figure(game: Game, players: int) -> Figure:
    middles = [_middle(game, players, seed) for seed in range(_MATCHES)]
    costs = [(_cost(middles, _from_worlds), _cost(middles, _worlds)) for _ in range(_ROUNDS)]
    both, drawing = (median(each) for each in zip(*costs, strict=True))
    what = f"playouts: {game.name} at random from worlds drawn in the middle, {players} seats"
    note = f"{1e6 * drawing / _WORLDS:.0f} µs of each to draw the world"
    return Figure(what, _WORLDS / both, "a second", note=note, is_gain=True)


def _middle(game: Game, players: int, seed: int) -> State:
    """The state half way through a match of `bot:steady`."""
    rng, states = Rng.of("middle", seed), [game.begin(players=players, seed=seed)]
    while not states[-1].has_ended:
        states.append(game.bots["steady"](states[-1], states[-1].pending[0], rng).next_state)
    return states[len(states) // 2]


def _steadily(state: State, rng: Rng) -> State:
    steady = state.game.bots["steady"]
    while pending := state.pending:
        state = steady(state, pending[0], rng).next_state
    return state


def _at_random(state: State, rng: Rng) -> State:
    choice = random.Random(rng.word).choice
    while actions := state.actions:
        state = choice(actions).next_state
    return state


def _from_worlds(state: State, rng: Rng) -> None:
    for world in _drawn(state, rng):
        _at_random(world, rng)


def _worlds(state: State, rng: Rng) -> None:
    for _ in _drawn(state, rng):
        pass


def _drawn(state: State, rng: Rng) -> Iterator[State]:
    return (state.resample(state.actor, rng) for _ in range(_WORLDS))


def _cost(states: Sequence[State], play: Callable[[State, Rng], object]) -> float:
    """Seconds of this process for a playout, on average."""
    began = time.process_time()
    for number, state in enumerate(states):
        play(state, Rng(number))
    return (time.process_time() - began) / len(states)
