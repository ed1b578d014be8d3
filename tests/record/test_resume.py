"""A match that stopped anywhere goes on to the end it would have had, with every logged answer used."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

import games
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.errors import LogDamagedError, PausedError, UsageError
from runner.record.reader import read_log
from runner.record.resume import open_to_resume
from runner.record.verify import verify
from runner.record.writer import AppendedFile
from tests.cli.command import complaint, tabletop
from tests.match.tables import Failing, bot
from tests.record.matches import SMALL, erring, gone_on, in_any_order, played, short, small_log, told

CUTS = 400 if "TABLETOP_CAMPAIGN" in os.environ else 3
"""In how many places a log is cut; many more in the long campaign of `make campaign`."""

TABLES = [(name, games.load(name).players[0]) for name in games.names()]


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("ask", ["simultaneous", "sequential"])
async def test_from_the_end_of_any_line_on_it_is_the_same_match(game: str, players: int, ask: str, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    result = await played(whole, game, erring(game, players), 5, ask=ask, **short(game, 3))
    lines, want = whole.read_bytes().splitlines(keepends=True), in_any_order(told(whole))
    step = max(1, len(lines) // CUTS)
    for count in range(1, len(lines), step):
        part.write_bytes(b"".join(lines[:count]))
        assert await gone_on(part, erring(game, players)) == result, count
        assert in_any_order(told(part)) == want, count
        assert verify(read_log(part)).has_ended


async def test_a_torn_line_is_cut_off(tmp_path: Path) -> None:
    whole, part = await small_log(tmp_path / "whole.jsonl"), tmp_path / "part.jsonl"
    raw = whole.read_bytes()
    for size in range(raw.index(b"\n") + 2, len(raw), 3001):
        part.write_bytes(raw[:size])
        await gone_on(part, erring("dixiquote", 3))
        assert in_any_order(told(part)) == in_any_order(told(whole))


class Counting(Agent):
    """A seat that costs money, counts what it is asked, and stops once."""

    def __init__(self, agent: Agent, stops_at: int | None = None) -> None:
        self.asked: list[tuple[int, int]] = []
        self._agent = agent
        self._stops_at = stops_at

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        if len(self.asked) == self._stops_at:
            raise PausedError("the budget is spent.")
        self.asked.append((ask.number, len(ask.mistakes)))
        given = await self._agent.answer(ask, report)
        return AgentReply(given.data, given.mistake, given.text, {"charged": 0.01, "reply": {"text": given.text, "cost": 0.01}})


@pytest.mark.parametrize("stops_at", range(7))
async def test_no_paid_reply_is_asked_for_twice(stops_at: int, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    first = [Counting(seat, stops_at) for seat in erring("dixiquote", 4, 0.5)]
    with pytest.raises(PausedError):
        await played(path, "dixiquote", first, 9, max_rounds=3)
    second = [Counting(seat) for seat in erring("dixiquote", 4, 0.5)]
    result = await gone_on(path, second)
    for before, after in zip(first, second, strict=True):
        assert not set(before.asked) & set(after.asked)
    costs = [round(seat["cost"], 2) for seat in result["seats"]]
    assert costs == [round(0.01 * (len(a.asked) + len(b.asked)), 2) for a, b in zip(first, second, strict=True)]
    whole = await played(
        tmp_path / "whole.jsonl", "dixiquote", [Counting(s) for s in erring("dixiquote", 4, 0.5)], 9, max_rounds=3
    )
    assert result == whole


async def test_an_outage_leaves_its_marks_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    agents: list[Agent] = [bot("dixiquote"), Failing(), bot("dixiquote")]
    with pytest.raises(PausedError):
        await played(path, "dixiquote", agents, 1, **SMALL)
    with pytest.raises(PausedError):
        await gone_on(path, agents)
    result = await gone_on(path, [bot("dixiquote")] * 3)
    kinds = [record["kind"] for _, record in read_log(path).records]
    assert kinds.count("pause") == kinds.count("resumed") == 2
    assert result["seats"][1]["failures"] == 4
    assert result["seats"][1]["penalties"] == 0


async def test_a_full_disk_pauses_and_what_is_there_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.jsonl"
    wrote, write = 0, AppendedFile.write

    def full(self: AppendedFile, lines: bytes) -> None:
        nonlocal wrote
        wrote += len(lines)
        if wrote > 9000:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, lines)

    monkeypatch.setattr(AppendedFile, "write", full)
    with pytest.raises(PausedError, match="No space"):
        await played(path, "dixiquote", erring("dixiquote", 3), 4, **SMALL)
    monkeypatch.undo()
    await gone_on(path, erring("dixiquote", 3))
    assert in_any_order(told(path)) == in_any_order(told(await small_log(tmp_path / "whole.jsonl")))


async def test_two_processes_cannot_write_one_log(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "match.jsonl")
    writer, _ = open_to_resume(path)
    try:
        refused = tabletop(tmp_path, "resume", "match.jsonl")
        assert refused.returncode == 2
        assert "written by another process" in complaint(refused)
    finally:
        writer.close()


def test_a_finished_match_says_so(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    words = ("play", "dixiquote", "--seed", "2", "--max-rounds", "2", "--quiet", "--json", *["--seat", "bot:steady"] * 4)
    first = tabletop(tmp_path, *words, "--log", "match.jsonl")
    before = path.read_bytes()
    again = tabletop(tmp_path, "resume", "match.jsonl", "--json")
    assert again.returncode == 0
    assert "already ended" in again.stderr
    assert json.loads(again.stdout) == json.loads(first.stdout)
    assert path.read_bytes() == before


async def test_a_damaged_log_is_not_taken_up_and_stays_as_it_is(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "match.jsonl")
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    with pytest.raises(LogDamagedError):
        open_to_resume(path)
    assert path.read_bytes() == raw


def test_there_has_to_be_a_log(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        open_to_resume(tmp_path / "none.jsonl")
    assert not (tmp_path / "none.jsonl").exists()


def test_other_seats_take_over(tmp_path: Path) -> None:
    words = ("play", "dixiquote", "--seed", "2", "--max-rounds", "2", "--quiet", *["--seat", "bot:random"] * 4)
    tabletop(tmp_path, *words, "--log", "match.jsonl")
    path = tmp_path / "match.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:40]))
    done = tabletop(tmp_path, "resume", "match.jsonl", "--quiet", "--json", "--seat", "P-2=bot:steady")
    assert [seat["spec"] for seat in json.loads(done.stdout)["seats"]] == [
        "bot:random",
        "bot:random",
        "bot:steady",
        "bot:random",
    ]
    assert read_log(path).latest_header["seats"][2]["spec"] == "bot:steady"
    assert tabletop(tmp_path, "replay", "match.jsonl", "--verify").returncode == 0


async def test_a_match_paused_for_want_of_valid_answers_gets_another_chance(tmp_path: Path) -> None:
    path, game = tmp_path / "match.jsonl", "dixiquote"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runner.match.tally.MOST_STRIKE_OUTS", 2)
        with pytest.raises(PausedError, match="no valid answer"):
            await played(path, game, erring(game, 3, 1.0), 2)
        paused = len(told(path))
        with pytest.raises(PausedError, match="no valid answer"):
            await gone_on(path, erring(game, 3, 1.0))
    assert len(told(path)) > paused
    await gone_on(path, [bot(game)] * 3)
    assert verify(read_log(path)).has_ended
