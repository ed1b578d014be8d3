"""The script that measures strength: matches that can be repeated, seats in turn, tables from what was played so far."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.core import Rng
from games.search.worlds import Worlds, worlds_of
from tools.campaigns import strength
from tools.campaigns.strength import Cell, Played, missing, plain_worlds, play, results, row, table

CELL = Cell("oriflamme", 3, "search:2", "random")


@pytest.mark.parametrize("cell", [CELL, Cell("coup", 3, "search:8", "plain:8")])
def test_a_match_can_be_repeated_and_costs_what_its_decisions_cost(cell: Cell) -> None:
    first, again = play(cell, 4), play(cell, 4)
    assert (first.match, first.share, first.decisions) == (4, again.share, again.decisions)
    assert 0 < first.slowest <= first.seconds
    assert first.decisions > 5


def test_plain_worlds_believe_no_claim() -> None:
    state = games.load("coup").begin(2, 1)
    claims, passes = {"action": "tax", "target": "none"}, {"response": "pass"}
    for answer in (claims, passes):
        state = next(one for one in state.actions_of(state.pending[0]) if one.to_json() == answer).next_state

    def with_duke(worlds: Worlds) -> int:
        return sum("Duke" in worlds(Rng(number)).view(0)["own"]["cards"] for number in range(200))

    assert with_duke(worlds_of(state, 1)) > with_duke(plain_worlds(state, 1)) + 30


def test_what_is_kept_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "FOLDER", tmp_path)
    assert list(missing([CELL], 2)) == [(CELL, 0), (CELL, 1)]
    CELL.file.write_text("[1, 0.5, 2.0, 4, 0.9]\n", encoding="utf-8")
    assert results(CELL) == {1: Played(1, 0.5, 2.0, 4, 0.9)}
    assert list(missing([CELL], 2)) == [(CELL, 0)]
    assert len(list(table([CELL, Cell("coup", 2, "search", "steady")]))) == 3


def test_a_row_has_an_interval_and_the_cost_of_a_decision() -> None:
    found = {number: Played(number, float(number % 2), 2.0, 4, 0.9, 1.0, 4) for number in range(100)}
    assert row(CELL, found) == (
        "| oriflamme | 3 | search:2 | random | 100 | 50.0% (40.2% to 59.8%) | 1.50 | 0.500 s | 0.90 s | 0.250 s |"
    )
