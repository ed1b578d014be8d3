"""What every game promises, for each of ours; what holds for all of them together; and answers of any shape."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import games
from games.core import Game, Rng, State
from games.testing import suite
from games.testing.answers import check_refused_or_read
from games.testing.random_play import walk
from runner.prompting.renderer import built_in_folder

GAMES = [games.load(name) for name in games.names()]
MATCHES = 2
"""The random matches of each game whose states are given answers of any shape."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

TestCatInTheBox = suite(games.load("cat_in_the_box"))
TestCoup = suite(games.load("coup"))
TestDixiQuote = suite(games.load("dixiquote"))
TestOriflamme = suite(games.load("oriflamme"))


def test_every_game_is_tested() -> None:
    assert {test.game.name for test in (TestCatInTheBox, TestCoup, TestDixiQuote, TestOriflamme)} == set(games.names())


@each_game
def test_a_game_is_complete(game: Game) -> None:
    assert game.name in games.names()
    assert files(f"games.{game.name}").joinpath("RULES.md").is_file()
    for role in game.roles:
        assert (built_in_folder() / game.name / f"{role}.j2").is_file(), role
    assert game.table == f"games.{game.name}.table"


PLAYED_ELSEWHERE = """
import hashlib, json, random, games
for name in games.names():
    game = games.load(name)
    digest = hashlib.sha256()
    for players in game.players[::3]:
        state, rng = game.begin(players=players, seed=11), random.Random(5)
        while not state.has_ended:
            state = rng.choice(state.actions).next_state
            digest.update(json.dumps([state.to_json(), state.view(0), state.view(None)]).encode())
    print(name, digest.hexdigest())
"""


def test_the_same_seed_gives_the_same_match_in_any_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PLAYED_ELSEWHERE],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "4242")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(GAMES)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@cache
def undecided(name: str, seed: int) -> list[tuple[State, State]]:
    """The states of a random match in which somebody owes a decision, each with a world of the first who does."""
    states = list(walk(games.load(name).begin(seed=seed), random.Random(1)))[:-1]
    return [(state, state.resample(state.pending[0], Rng(3))) for state in states]


@each_game
@given(data=st.data())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_answer_whatever_breaks_the_reader(game: Game, data: st.DataObject) -> None:
    worlds = data.draw(st.sampled_from(undecided(game.name, data.draw(st.integers(0, MATCHES - 1)))))
    state = worlds[0]
    seat = state.pending[0]
    fields = list(state.question(seat).schema["properties"])
    answer = data.draw(st.one_of(json_values, st.fixed_dictionaries(dict.fromkeys(fields, json_values))))
    check_refused_or_read(worlds, seat, answer)
