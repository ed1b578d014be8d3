"""What a log is like when the disk did not take all of it, and how often it is synced."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from pathlib import Path

import pytest

from runner.agents.protocol import Agent, Decided, DecisionRequest
from runner.agents.waiting_agents import HumanAgent
from runner.errors import PausedError
from runner.match.records import Record
from runner.record import writer
from runner.record.line import FIRST, unseal
from runner.record.log_paths import journal_of
from runner.record.writer import LogWriter
from tests.cli.command import tabletop
from tests.match.tables import bot
from tests.record.matches import SMALL, played

ONE_ROUND = {**SMALL, "max_rounds": 1}


def test_a_record_the_disk_refused_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = os.write, []

    def half(file: int, data: memoryview) -> int:
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, bytes(data[: len(data) // 2]))

    writer = LogWriter(tmp_path / "log.jsonl")
    writer.append({"kind": "header"})
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        with pytest.raises(PausedError, match="No space left on device"):
            writer.append({"kind": "attempt"})
    writer.append({"kind": "pause"})
    writer.close()
    last, kinds = FIRST, []
    for line in (tmp_path / "log.jsonl").read_bytes().splitlines():
        record, last = unseal(line, last)
        kinds.append(record["kind"])
    assert kinds == ["header", "pause"]


def test_a_value_that_was_refused_with_its_record_is_written_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    question = {"kind": "question", "view": {"hand": "x" * 999}, "schema": {}}
    writer = LogWriter(tmp_path / "log.jsonl")
    writer.append({"kind": "header"})
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", refuse)
        with pytest.raises(PausedError):
            writer.append(question)
    writer.append(question)
    writer.close()
    lines = (tmp_path / "log.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["header", "shared", "question"]


class Late:
    """A person who decides as a bot does, `seat` moments late."""

    def __init__(self, seat: int) -> None:
        self._seat, self._bot = seat, bot("dixiquote")

    async def decide(self, ask: DecisionRequest) -> Decided:
        for _ in range(self._seat):
            await asyncio.sleep(0)
        return Decided((await self._bot.answer(ask, nobody)).data)  # type: ignore[arg-type]


async def nobody(record: dict[str, object]) -> None:
    """Takes an attempt without an answer."""


async def test_answers_that_come_within_a_moment_share_a_sync_and_a_single_one_waits_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, real = list[bool](), os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(os.path.isdir(f"/dev/fd/{file}")), real(file)))
    monkeypatch.setattr(writer, "TOGETHER", 1e9)
    await played(tmp_path / "a.jsonl", "dixiquote", [HumanAgent(Late(seat)) for seat in range(4)], **ONE_ROUND)
    steps = ["the storyteller chooses", "the storyteller writes", "the three others submit", "they vote", "the result"]
    assert synced.count(False) == len(steps)
    assert synced.count(True) == 1


async def test_a_failing_sync_pauses_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(PausedError, match="Input/output error"):
        await played(tmp_path / "a.jsonl", "dixiquote", [HumanAgent(Late(seat)) for seat in range(4)], **ONE_ROUND)


def test_only_what_can_be_worked_out_again_is_not_synced() -> None:
    def below(kind: type[Agent]) -> set[type[Agent]]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    own = {kind for kind in below(Agent) if kind.__module__.startswith("runner.")}
    assert {kind.__name__ for kind in own if not kind.needs_sync} == {"BotAgent", "SearchAgent", "_Scripted"}


def test_no_match_whose_result_is_written_has_a_journal_of_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journals, real = dict[str, bool](), LogWriter.append

    def append(writer: LogWriter, record: Record) -> None:
        journals[record["kind"]] = journal_of(writer.path).exists()
        real(writer, record)

    monkeypatch.setattr(LogWriter, "append", append)
    seats = ("--seat", "offline", "--seat", "bot:steady")
    assert tabletop(tmp_path, "play", "coup", *seats, "--log", "a.jsonl", "-q").returncode == 0
    assert (journals["attempt"], journals["result"]) == (True, False)
