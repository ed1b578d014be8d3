"""Following a match by its log, from inside: what those who look on hear, and what a log may do meanwhile."""

from __future__ import annotations

import os
import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from games.core import Action, Event, State
from runner.errors import LogDamagedError, UsageError
from runner.match.watcher import Watched, Watcher
from runner.record.live_replay import Following
from runner.record.tail import LogTail
from runner.record.writer import LogWriter
from tests.match.tables import bot, match
from tests.record.matches import SMALL, erring, gone_on, played, small_log


class Notes(Watcher):
    """Writes down everything it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.match: Watched | None = None

    async def begun(self, match: Watched) -> None:
        self.match = match
        self.told.append(("begun", [seat.name for seat in match.config.seats]))

    async def asked(self, seat: int, number: int) -> None:
        self.told.append(("asked", seat, number))

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        self.told.append(("attempted", seat, record["outcome"], record.get("why")))

    async def decided(self, seat: int, action: Action | None, how: str) -> None:
        self.told.append(("decided", seat, None if how == "moot" or action is None else action.to_json(), how))

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        assert self.match is not None
        assert self.match.state == state
        self.told.append(("moved", state.to_json(), events, [tally.to_json() for tally in self.match.tallies]))

    async def paused(self, why: str) -> None:
        self.told.append(("paused", why))

    async def ended(self, result: dict[str, Any]) -> None:
        self.told.append(("ended", result))


def without_counts(told: list[Any]) -> list[Any]:
    """The counts of decisions are the loop's own: a follower counts attempts alone."""
    names = ("decisions", "forced", "penalties")
    return [
        (*one[:3], [{k: v for k, v in tally.items() if k not in names} for tally in one[3]]) if one[0] == "moved" else one
        for one in told
    ]


async def followed(path: Path, target: Path, notes: Watcher, seed: int = 0) -> None:
    """Follow a copy of a log while it is written in pieces of any size."""
    raw, chance = path.read_bytes(), random.Random(seed)
    tail, following, place = LogTail(target), None, 0
    with target.open("wb", buffering=0) as file:
        while place < len(raw):
            size = chance.choice((1, 7, 300, 20_000))
            file.write(raw[place : place + size])
            place += size
            if following is None:
                if not tail.open():
                    continue
                assert tail.log is not None
                following = Following(tail.log, notes)
                await following.begin()
            for line, record in tail.news():
                await following.take(line, record)
    assert not tail.has_half_a_line
    tail.close()


@pytest.mark.parametrize("game", ["coup", "dixiquote", "oriflamme"])
async def test_who_follows_hears_what_is_told_at_the_table(game: str, tmp_path: Path) -> None:
    log, there, here = tmp_path / "log.jsonl", Notes(), Notes()
    writer = LogWriter(log)
    await match(game, erring(game, 4), 3, writer, there).run()
    writer.close()
    await followed(log, tmp_path / "copy.jsonl", here)
    assert without_counts(here.told) == without_counts(there.told)
    assert here.told[-1][0] == "ended"


async def test_a_pause_and_what_comes_after_it_are_told(tmp_path: Path) -> None:
    whole, log, notes = await small_log(tmp_path / "whole.jsonl"), tmp_path / "log.jsonl", Notes()
    raw = whole.read_bytes()
    log.write_bytes(raw[: int(len(raw) * 0.6)])
    tail = LogTail(log)
    assert tail.open()
    assert tail.log is not None
    following = Following(tail.log, notes)
    await following.begin()
    for line, record in tail.news():
        await following.take(line, record)
    assert tail.has_half_a_line
    await following.stand_still("nobody writes")
    result = await gone_on(log, erring("dixiquote", 3))
    for line, record in tail.news():
        await following.take(line, record)
    assert following.result == result
    kinds = [one[0] for one in notes.told]
    assert kinds[kinds.index("paused") + 1] == "begun"
    assert following.why_paused is None
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
    assert tail.news()
    assert tail.news() == []
    os.truncate(log, len(whole) // 2)
    with pytest.raises(LogDamagedError, match="shorter"):
        tail.news()
    changed = b"\n".join([*lines[:20], lines[20].replace(b"seat", b"taes"), *lines[21:]])
    tail = tail_of(changed)
    told = tail.news()
    assert told[-1][0] <= 20
    with pytest.raises(LogDamagedError) as caught:
        tail.news()
    assert caught.value.line == 21
    tail = tail_of(whole)
    tail.news()
    log.unlink()
    with pytest.raises(UsageError, match="removed or replaced"):
        tail.news()
    tails.close()


async def test_what_the_rules_refuse_is_damage(tmp_path: Path) -> None:
    """A whole chain around a decision of another match."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    await played(one, "dixiquote", [bot("dixiquote")] * 3, 1, **SMALL)
    await played(other, "dixiquote", [bot("dixiquote")] * 3, 2, **SMALL)
    here, there = LogTail(one), LogTail(other)
    assert here.open()
    assert there.open()
    assert here.log is not None
    following, news = Following(here.log, Watcher()), there.news()

    async def take_all() -> None:
        for line, record in news:
            await following.take(line, record)

    with pytest.raises(LogDamagedError):
        await take_all()
    here.close()
    there.close()
