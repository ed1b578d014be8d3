"""List of logs: newest first, with dates, winners and scores, whatever the width."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.record.log_summary import LogState, LogSummary, SeatSummary
from runner.screen import log_list as module
from runner.screen.log_list import log_list
from tests.cli.command import tabletop
from tests.match.tables import bot
from tests.record.matches import played as match_logged
from tests.record.reseal import records_of, resealed
from tests.screen.drawing import drawn


def played(created: str, scores: tuple[int, ...], names: tuple[str, ...]) -> LogSummary:
    seats = tuple(SeatSummary(name, name, {}, "", 0, 0, 0, {}, 0, 0, 0, 0.0, 0.0, 0.0, {}, {}) for name in names)
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return LogSummary(LogState.FINISHED, game="coup", created=created, seats=seats, scores=scores, winners=winners)


async def test_the_newest_is_first_and_a_log_without_a_date_last(tmp_path: Path) -> None:
    await match_logged(tmp_path / "first.jsonl", "coup", [bot("coup")] * 2, 1, max_turns=1)
    header, *records = records_of((tmp_path / "first.jsonl").read_bytes())
    (tmp_path / "first.jsonl").unlink()
    for name, year in {"a": 2001, "z": 2001, "b": 2003, "c": 2002}.items():
        dated = {**header, "created": f"{year}-05-06T12:00:00+00:00"}
        (tmp_path / f"{name}.jsonl").write_bytes(resealed([dated, *records]))
    (tmp_path / "damaged.jsonl").write_text("no log\n")
    listed = json.loads(tabletop(tmp_path, "logs", ".", "--json").stdout)
    assert [Path(one["path"]).stem for one in listed] == ["b", "c", "a", "z", "damaged"]


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_each_log_has_its_date_its_winners_and_its_scores(width: int) -> None:
    found = played("2026-05-06T12:00:00+00:00", (3, 9, 9, 4), ("ada", "offline", "bob", "offline"))
    logs = [(Path("a-rather-long-name-of-a-log-1234567890.jsonl"), found), (Path("odd"), LogSummary(LogState.DAMAGED, "torn"))]
    shown = drawn(log_list(logs), width)
    text = " ".join(shown.split())
    for words in ("2026-05-06", "finished", "offline 1, bob", "offline 9, bob 9, offline 4, ada 3", "torn", "2 logs"):
        assert words in text
    assert all(len(line.rstrip()) <= width for line in shown.splitlines())


def test_a_long_list_is_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.MOST_ROWS == 1000
    monkeypatch.setattr(module, "MOST_ROWS", 60)
    logs = [(Path(f"{number}.jsonl"), LogSummary(LogState.DAMAGED, "torn")) for number in range(1005)]
    shown = drawn(log_list(logs), 200)
    assert "59.jsonl" in shown
    assert "60.jsonl" not in shown
    assert "… and 945 more logs; --json lists all" in shown
    assert "1,005 logs: 1005 damaged" in shown
