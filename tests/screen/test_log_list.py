"""List of logs: newest first, with dates, winners and scores, whatever the width."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.cli.logs import newest_first
from runner.record.log_summary import LogState, LogSummary, SeatSummary
from runner.screen.log_list import LogList
from tests.screen.drawing import drawn


def played(created: str, scores: tuple[int, ...], names: tuple[str, ...]) -> LogSummary:
    seats = tuple(SeatSummary(name, name, {}, "", 0, 0, 0, {}, 0, 0, 0, 0.0, 0.0, 0.0, {}) for name in names)
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return LogSummary(LogState.FINISHED, game="coup", created=created, seats=seats, scores=scores, winners=winners)


def test_the_newest_is_first_and_a_log_without_a_date_last() -> None:
    years = {"a": 2001, "z": 2001, "b": 2003, "c": 2002}
    logs = {name: played(f"{year}-05-06T12:00:00+00:00", (1,), ("ada",)) for name, year in years.items()}
    listed = newest_first({"damaged": LogSummary(LogState.DAMAGED, "line 1"), **logs})
    assert [name for name, _ in listed] == ["b", "c", "a", "z", "damaged"]


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_each_log_has_its_date_its_winners_and_its_scores(width: int) -> None:
    found = played("2026-05-06T12:00:00+00:00", (3, 9, 9, 4), ("ada", "offline", "bob", "offline"))
    logs = [(Path("a-rather-long-name-of-a-log-1234567890.jsonl"), found), (Path("odd"), LogSummary(LogState.DAMAGED, "torn"))]
    shown = drawn(LogList(logs), width)
    text = " ".join(shown.split())
    for words in ("2026-05-06", "finished", "offline (P-1), bob", "offline 9, bob 9, offline 4, ada 3", "torn", "2 logs"):
        assert words in text
    assert all(len(line.rstrip()) <= width for line in shown.splitlines())
