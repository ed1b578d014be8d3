"""The positions that are shown: for every game the phases in which somebody decides, each at its fullest, and the end."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

import games
from games.core import Game, State
from games.testing.random_play import variants
from runner.film.perspective import Perspective
from runner.screen.scene_rich import drawn_table

FILE = Path(__file__).parent / "goldens" / "positions.json"
PLAYERS = {"cat_in_the_box": 5, "coup": 6, "dixiquote": 5, "oriflamme": 5}
"""How many play; of other games, as many as can."""

_MATCHES = 5
_WIDTH = 60


class Position(NamedTuple):
    """A state of a match played at random: how many decisions after its beginning."""

    phase: str
    players: int
    seed: int
    step: int
    options: dict[str, Any]


def states(game: Game, players: int, seed: int, options: dict[str, Any]) -> Iterator[State]:
    """The match of a seed. ValueError where the options are not for this number of players."""
    state, chance = game.begin(players, seed, **options), random.Random(seed)
    yield state
    while not state.has_ended:
        state = chance.choice(state.actions).next_state
        yield state


def fullest(game: Game) -> list[Position]:
    """For each phase in which somebody decides, and for the end, the highest table in a handful of matches.

    Phases that come only with options, or with fewer players, are looked for in such matches.
    """
    players = PLAYERS.get(game.name, game.players[-1])
    found = _highest(game, players, {})
    rare = {phase.name for phase in game.phases if phase.decides}
    for options, few in itertools.product(variants(game), (players, game.players[0])):
        if rare - found.keys():
            found = {**_highest(game, few, options), **found}
    order = [phase.name for phase in sorted(game.phases, key=lambda phase: not phase.decides)]
    return [found[name] for name in sorted(found, key=order.index)]


def _highest(game: Game, players: int, options: dict[str, Any]) -> dict[str, Position]:
    found: dict[str, tuple[int, Position]] = {}
    with suppress(ValueError):
        for seed in range(_MATCHES):
            for step, state in enumerate(states(game, players, seed, options)):
                lines, phase = _height(state), state.phase.name
                if lines > found.get(phase, (0,))[0]:
                    found[phase] = (lines, Position(phase, players, seed, step, options))
    return {phase: position for phase, (_, position) in found.items()}


def _height(state: State) -> int:
    console = Console(file=StringIO(), width=_WIDTH, height=1000)
    names = tuple("model" for _ in range(state.setup.players))
    seen = Perspective(sees_all=True).visible(state, names)
    return len(console.render_lines(drawn_table(state.game, seen), console.options))


def write() -> None:
    """Choose the positions anew."""
    FILE.parent.mkdir(exist_ok=True)
    chosen = {name: fullest(games.load(name)) for name in games.names()}
    lines = [f'"{name}": [\n' + ",\n".join(json.dumps(p) for p in positions) + "\n]" for name, positions in chosen.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def chosen() -> dict[str, list[Position]]:
    """The positions of every game."""
    return {name: [Position(*one) for one in found] for name, found in json.loads(FILE.read_text(encoding="utf-8")).items()}


def voiced() -> dict[str, list[Position]]:
    """One position of each game, in the middle of its phases: there players are shown with what they think and say."""
    return {name: [found[len(found) // 2]] for name, found in chosen().items()}
