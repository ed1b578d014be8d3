"""Interned summaries: they say the same, and share what is equal."""

from __future__ import annotations

from pathlib import Path

from runner.record.interned_summary import interned
from runner.record.log_folder import summaries
from runner.record.log_summary import LogSummary, summarise
from tests.record.matches import small_log


async def test_an_interned_summary_is_the_same(tmp_path: Path) -> None:
    found = summarise(await small_log(tmp_path / "log.jsonl"))
    assert interned(found) == found
    assert interned(found).dumps() == found.dumps()
    assert interned(LogSummary.loads(found.dumps())) == LogSummary.loads(found.dumps())


async def test_summaries_from_logs_and_from_the_index_share_what_is_equal(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "log.jsonl")
    path.with_name("again.jsonl").write_bytes(path.read_bytes())
    read, known = summaries(tmp_path), summaries(tmp_path)
    for one in (read["again.jsonl"], *known.values()):
        assert one.options is read["log.jsonl"].options
        assert one.conditions is read["log.jsonl"].conditions
        assert all(seat.settings is first.settings for seat, first in zip(one.seats, read["log.jsonl"].seats, strict=True))


async def test_values_that_are_equal_and_of_other_types_stay_apart(tmp_path: Path) -> None:
    found = summarise(await small_log(tmp_path / "log.jsonl"))
    for value in (1, True, 1.0):
        assert repr(interned(found._replace(conditions={"talk": value})).conditions) == repr({"talk": value})
