"""The tables of all games: within the terminal, harmless, and showing no perspective what it may not know."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import cycle

import pytest

import games
from games.core import Game, Rng, State
from games.testing.random_play import begin, variants, walk
from runner.film.perspective import Perspective
from runner.screen.palette import Marks
from runner.screen.scene_rich import drawn_table
from tests.screen.drawing import WIDTHS, drawn, table, widest

GAMES = [games.load(name) for name in games.names()]
TABLES = [pytest.param(game, players, id=f"{game.name}-{players}") for game in GAMES for players in game.players]
STYLES = re.compile(r"\x1b\[[0-9;]*m")
each_table = pytest.mark.parametrize(("game", "players"), TABLES)


@cache
def corpus(name: str, players: int) -> list[State]:
    """States of every variant for the most players, of every third for fewer, and of those that the most cannot play."""
    game, found = games.load(name), list[State]()
    for seed, variant in enumerate(variants(game)):
        state = begin(game, players, seed, variant)
        full = begin(game, game.players[-1], seed, variant)
        if state is not None and (full is None or players == game.players[-1] or (seed - players) % 3 == 0):
            states = list(walk(state, random.Random(seed), 0.05))
            found += [*states[:: max(1, len(states) // 6)], states[-1]]
    return found


@cache
def played(name: str, players: int) -> list[State]:
    """The states of a match of the first variant that can be played."""
    game = games.load(name)
    first = next(state for variant in variants(game) if (state := begin(game, players, 1, variant)))
    return [*walk(first, random.Random(1), 0.05)]


@each_table
def test_no_line_is_wider_than_the_terminal(game: Game, players: int) -> None:
    narrowest, *others = WIDTHS
    states = corpus(game.name, players)[::8]
    for state, view, other in zip(states, cycle(("all", "public", "P-1")), cycle((*others, narrowest))):
        for width in {narrowest, other}:
            text = table(state, width, view)
            assert text.strip()
            assert widest(text) <= width


@each_table
def test_a_seat_is_named_in_full_however_narrow_the_terminal(game: Game, players: int) -> None:
    names = tuple(["offline model", "anthropic/claude-opus"][seat % 2] for seat in range(players))
    for state, width in zip(played(game.name, players)[::10], cycle((40, 60, 50))):
        lines = drawn(drawn_table(game, Perspective(None).visible(state, names)), width).split("\n")
        rows = "\n".join(line.rpartition("│")[2] for line in lines)
        marks = Marks.of(names, needs_letters=False).short
        assert all(f"P-{seat} " in rows or marks[seat] in rows for seat in range(players)), rows
        assert "P…" not in rows
        assert "P-…" not in rows


@each_table
def test_a_perspective_shows_nothing_it_may_not_know(game: Game, players: int) -> None:
    """A table is drawn from the visible state and nothing else."""
    for index, state in enumerate(corpus(game.name, players)[::5]):
        for seat in (None, *range(players)):
            seen = Perspective(seat)
            assert seen.visible(state.resample(seat, Rng(index)), ()) == seen.visible(state, ())


@each_table
def test_colours_carry_no_meaning_alone(game: Game, players: int) -> None:
    """Two states that look the same without colour look the same with it: neighbours in a match are often so alike."""
    seen: dict[str, str] = {}
    for state in played(game.name, players)[:10]:
        coloured = table(state, 120, "public", colour=True)
        assert seen.setdefault(STYLES.sub("", coloured), coloured) == coloured
    assert len(seen) < 6 or game.name != "dixiquote", "some are alike"
