"""Honesty of agents in standings: sums over claims and challenges of the last players."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from runner.record.log_folder import per_log, unfollowed
from runner.record.log_summary import SeatSummary
from runner.record.reader import read_log
from runner.review.honesty import claim_rows, seat_honesty
from runner.standings.document import folder_matches, standings
from runner.standings.game_document import measures
from runner.standings.studies import honesty_study
from runner.standings.tables import tables
from tests.match.tables import bot
from tests.record.matches import played


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    for seed in (3, 5):
        await played(tmp_path / f"{seed}.jsonl", "coup", [bot("coup")] * 3, seed)
    return tmp_path


def test_sums_are_those_of_the_rows(folder: Path) -> None:
    log = read_log(folder / "5.jsonl")
    rows, seats = list(claim_rows(log)), seat_honesty(log)
    doubts = [row.doubt for row in rows if row.doubt]
    whole = sum(seats, Counter[str]())
    assert whole["claims"] == sum(row.claim is not None for row in rows)
    assert whole["windows"] == len(doubts)
    assert whole["right"] == sum(doubt.is_challenged and not doubt.claim.is_true for doubt in doubts)
    assert whole["chance_challenged"] + whole["chance_passed"] == pytest.approx(sum(doubt.chance for doubt in doubts))
    assert whole["squares"] == pytest.approx(sum((doubt.is_challenged - doubt.chance) ** 2 for doubt in doubts))
    assert seats[1]["claims"] == sum(row.claim is not None and row.seat == 1 for row in rows)


def test_standings_have_honesty_where_it_is_asked_for(folder: Path) -> None:
    (plain,) = standings(folder_matches(folder))["games"]
    assert "honesty" not in plain["agents"][0]
    played = folder_matches(folder)
    found = standings(played, studies=[honesty_study(per_log(seat_honesty, [*played.logs], unfollowed))])
    (game,) = found["games"]
    (agent,) = game["agents"]
    own = agent["honesty"]
    assert own is not None
    measured = agent["measures"]["claims that were true"]
    assert (own["true"], own["claims"]) == (measured["hits"], measured["out_of"])
    right = agent["measures"]["challenges that were right"]
    assert (own["right"], own["challenged"]) == (right["hits"], right["out_of"])
    assert own["chance_challenged"] is not None
    (table,) = [table for table in tables(game) if table.title.startswith("Honesty")]
    assert all(len(row) == len(table.headers) for row in table.rows)


def test_an_amount_is_a_mean_over_the_matches_that_have_the_measure() -> None:
    counts: tuple[dict[str, list[int]], ...] = ({"old": [2, 1]}, {"old": [4, 1], "new": [3, 1]})
    seats = [SeatSummary("ada", "ada", {}, "", 0, 0, 0, {}, 0, 0, 0, 0.0, 0.0, 0.0, one, {}) for one in counts]
    found = measures(seats, {"old": False, "new": False})
    assert {name: (data["value"], data["out_of"]) for name, data in found.items()} == {"old": (3, 2), "new": (3, 1)}
