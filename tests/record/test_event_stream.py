"""The event stream of a match: the same from its loop and from its log, in one piece or as it grows."""

from __future__ import annotations

import json
import os
import random
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.errors import LogDamagedError, UsageError
from runner.match.match_state import MatchEvent
from runner.record.reader import LogTail, read_log
from runner.record.replay import ReplayedMatch, replay
from runner.record.writer import LogWriter
from tests.match.tables import bot, match
from tests.record.matches import SMALL, erring, gone_on, played, short, small_log


class Notes:
    """A sink that writes down everything it gets."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    async def emit(self, event: MatchEvent) -> None:
        self.events.append(told(event))


def told(event: MatchEvent) -> Any:
    """An event with the match as it stands, without the long values that a log refers to."""
    record = {name: value for name, value in event.record.items() if name not in ("schema", "view", "request")}
    seats = [(seat.spec.text, seat.name, seat.kind) for seat in event.match.config.seats]
    tallies = [tally.to_json() for tally in event.match.tallies]
    return json.loads(json.dumps([record, seats, event.match.state.to_json(), tallies, event.events]))


def followed(path: Path, target: Path, seed: int = 0) -> list[Any]:
    """The events of a copy of a log that is written in pieces of any size."""
    raw, chance, events = path.read_bytes(), random.Random(seed), list[Any]()
    tail, replayed, place = LogTail(target), None, 0
    with target.open("wb", buffering=0) as file:
        while place < len(raw):
            size = chance.choice((1, 7, 300, 20_000))
            file.write(raw[place : place + size])
            place += size
            if replayed is None:
                if not tail.open():
                    continue
                assert tail.log is not None
                replayed = ReplayedMatch(tail.log)
                events.append(told(replayed.deal()))
            events += [told(replayed.take(line, record)) for line, record in tail.read_new()]
    assert not tail.has_partial_line
    tail.close()
    return events


@pytest.mark.parametrize("game", ["coup", "dixiquote", "oriflamme"])
async def test_a_log_brings_the_events_that_the_loop_emitted(game: str, tmp_path: Path) -> None:
    log, notes = tmp_path / "log.jsonl", Notes()
    writer = LogWriter(log)
    await match(game, erring(game, 4), 3, writer, [notes], **short(game)).run()
    writer.close()
    assert notes.events[0][0]["kind"] == "header"
    assert notes.events[-1][0]["kind"] == "result"
    assert [told(event) for _, event in replay(read_log(log))] == notes.events
    assert followed(log, tmp_path / "copy.jsonl") == notes.events


async def test_screens_of_a_resumed_match_begin_with_its_last_decision(tmp_path: Path) -> None:
    """The same for who plays it and for who watches its log."""
    whole, log, notes = await small_log(tmp_path / "whole.jsonl"), tmp_path / "log.jsonl", Notes()
    lines = whole.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))
    before = [record["kind"] for _, record in read_log(log).records]
    await gone_on(log, erring("dixiquote", 3), notes)
    kinds = [event[0]["kind"] for event in notes.events]
    assert kinds[:2] == ["resumed", "decision"]
    assert kinds.count("decision") == sum(record["kind"] == "decision" for _, record in read_log(log).records) - (
        before.count("decision") - 1
    )
    after = [told(event) for _, event in replay(read_log(log))]
    assert notes.events[-5:] == after[-5:]


async def test_a_pause_and_what_comes_after_it_are_read(tmp_path: Path) -> None:
    whole, log = await small_log(tmp_path / "whole.jsonl"), tmp_path / "log.jsonl"
    raw = whole.read_bytes()
    log.write_bytes(raw[: int(len(raw) * 0.6)])
    tail = LogTail(log)
    assert tail.open()
    assert tail.log is not None
    replayed = ReplayedMatch(tail.log)
    for line, record in tail.read_new():
        replayed.take(line, record)
    assert tail.has_partial_line
    result = await gone_on(log, erring("dixiquote", 3))
    events = [replayed.take(line, record) for line, record in tail.read_new()]
    assert events[0].record["kind"] == "resumed"
    assert events[-1].record == json.loads(json.dumps(result))
    tail.close()


async def test_a_log_that_is_cut_changed_or_taken_away_is_noticed(tmp_path: Path) -> None:
    whole = (await small_log(tmp_path / "whole.jsonl")).read_bytes()
    lines = whole.split(b"\n")
    log = tmp_path / "log.jsonl"

    tails = ExitStack()

    def tail_of(raw: bytes) -> LogTail:
        log.write_bytes(raw)
        tail = LogTail(log)
        tails.callback(tail.close)
        assert tail.open()
        return tail

    tail = tail_of(whole)
    assert tail.read_new()
    assert tail.read_new() == []
    os.truncate(log, len(whole) // 2)
    with pytest.raises(LogDamagedError, match="shorter"):
        tail.read_new()
    changed = b"\n".join([*lines[:20], lines[20].replace(b"seat", b"taes"), *lines[21:]])
    tail = tail_of(changed)
    found = tail.read_new()
    assert found[-1][0] <= 20
    with pytest.raises(LogDamagedError) as caught:
        tail.read_new()
    assert caught.value.line == 21
    tail = tail_of(whole)
    tail.read_new()
    log.unlink()
    with pytest.raises(UsageError, match="removed or replaced"):
        tail.read_new()
    tails.close()


async def test_what_the_rules_refuse_is_damage(tmp_path: Path) -> None:
    """A whole chain around a decision of another match."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    await played(one, "dixiquote", [bot("dixiquote")] * 3, 1, **SMALL)
    await played(other, "dixiquote", [bot("dixiquote")] * 3, 2, **SMALL)
    mixed = replace(read_log(one), records=read_log(other).records)
    with pytest.raises(LogDamagedError):
        list(replay(mixed))
