"""Hopeless seats: struck out again and again without a valid answer in between."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.film.perspective import Perspective
from runner.match.tally import HopelessSeatError
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.screen.narrator import Narrator
from runner.screen.transcript import transcript
from tests.cli.command import tabletop
from tests.match.tables import Illegal, bot, match
from tests.record.matches import gone_on, played, told

GAME = "dixiquote"


class LateLearner(Agent):
    """Gives nothing valid until it has been asked a number of times; then answers as a bot does."""

    needs_sync = False

    def __init__(self, asked: int) -> None:
        self._left = asked
        self.asked = 0

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        self._left -= 1
        self.asked += 1
        return await (bot(GAME) if self._left < 0 else Illegal()).answer(ask, report)


def seats(first: Agent) -> list[Agent]:
    return [first, bot(GAME), bot(GAME)]


def attempts(path: Path) -> list[int]:
    """How many attempts the first seat made at each of its questions."""
    numbers = [record["question"] for _, record in read_log(path).of_kind("attempt") if record["seat"] == 0]
    return [numbers.count(number) for number in dict.fromkeys(numbers)]


def strike_outs(path: Path) -> int:
    return sum(record["how"] == "strike_out" for _, record in read_log(path).of_kind("decision") if record["seat"] == 0)


async def test_a_match_pauses_at_a_hopeless_seat_and_again_after_as_many_more(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with pytest.raises(HopelessSeatError, match="P-0 gave no valid answer in 3 decisions in a row") as pause:
        await played(path, GAME, seats(Illegal()), 1, hopeless=3)
    assert (pause.value.seat, strike_outs(path)) == (0, 3)
    assert str(pause.value) in [record["why"] for _, record in read_log(path).of_kind("pause")]
    with pytest.raises(HopelessSeatError, match="6 decisions"):
        await gone_on(path, seats(Illegal()))
    assert strike_outs(path) == 6
    assert (await gone_on(path, [bot(GAME)] * 3))["winners"]
    assert verify(read_log(path)).has_ended


async def test_the_count_goes_on_when_a_match_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with pytest.raises(HopelessSeatError):
        await played(path, GAME, seats(Illegal()), 1, hopeless=4)
    lines = path.read_bytes().splitlines(keepends=True)
    second = [number for number, line in enumerate(lines) if b'"how":"strike_out"' in line.replace(b": ", b":")][1]
    path.write_bytes(b"".join(lines[: second + 1]))
    with pytest.raises(HopelessSeatError, match="4 decisions"):
        await gone_on(path, seats(Illegal()))
    assert strike_outs(path) == 4


def test_another_player_begins_with_a_count_of_its_own(tmp_path: Path) -> None:
    words = ("play", GAME, "--players", "3", "--max-rounds", "9", "--seed", "1", "--log", "log.jsonl", "-q", "--hopeless", "2")
    first = tabletop(tmp_path, *words, "--seat", "offline/illegal", "--seat", "bot:steady", "--seat", "bot:steady")
    other = tabletop(tmp_path, "resume", "log.jsonl", "--seat", "P-0=offline/unreadable", "--hopeless", "3", "-q")
    again = tabletop(tmp_path, "resume", "log.jsonl", "-q")
    for done, count in ((first, 2), (other, 3), (again, 6)):
        assert done.returncode == 3
        assert f"P-0 gave no valid answer in {count} decisions in a row" in done.stderr
    assert strike_outs(tmp_path / "log.jsonl") == 2 + 6


async def test_a_valid_answer_begins_the_count_again() -> None:
    learner = LateLearner(3 * 2 + 1)
    assert await match(GAME, seats(learner), 1, hopeless=3).run()


async def test_a_tournament_asks_a_hopeless_seat_once_until_it_gives_a_valid_answer(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    result = await played(path, GAME, seats(LateLearner(3 * 2 + 3)), 1, hopeless=2, plays_on=True)
    assert result["seats"][0]["penalties"] == 5
    assert attempts(path)[:7] == [3, 3, 1, 1, 1, 1, 1]
    found = [record.get("strikes") for _, record in read_log(path).of_kind("question") if record["seat"] == 0]
    assert found[:7] == [None, None, 1, 1, 1, 1, None]
    said = [
        line.plain
        for line in transcript(read_log(path), Narrator(Perspective()))
        if "LateLearner: invalid answer" in line.plain
    ]
    assert ["1 of 1" in line for line in said] == [False] * 6 + [True] * 3
    assert verify(read_log(path)).has_ended


async def test_no_number_makes_a_seat_hopeless_with_0() -> None:
    assert await match(GAME, seats(Illegal()), 1, hopeless=0, max_rounds=6).run()


@pytest.mark.parametrize("plays_on", [False, True])
async def test_a_log_replays_with_the_strikes_that_it_was_played_with(plays_on: bool, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    await played(path, GAME, seats(Illegal()), 1, hopeless=2, plays_on=True, max_rounds=6)
    whole = told(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) * 3 // 4]))
    if plays_on:
        await gone_on(path, seats(Illegal()), plays_on=True)
        assert told(path) == whole
    else:
        with suppress(HopelessSeatError):
            await gone_on(path, seats(Illegal()))
        assert told(path)[: len(lines) // 2] == whole[: len(lines) // 2]
        assert verify(read_log(path)).decisions


async def test_a_log_from_before_hopeless_seats_replays_in_a_tournament(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    await played(path, GAME, seats(Illegal()), 1, hopeless=0, max_rounds=6)
    before, lines = attempts(path), path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    result = await gone_on(path, seats(Illegal()), plays_on=True)
    assert result["winners"]
    assert attempts(path) == before


def test_a_tournament_takes_the_rule_from_its_plan(tmp_path: Path) -> None:
    agents = "offline/illegal,bot:steady,bot:random"
    words = ("tournament", "--game", GAME, "--seat", agents, "--players", "3", "--deals", "1", "--rotation", "random")
    done = tabletop(tmp_path, *words, "--option", "max_rounds=4", "--hopeless", "1", "-o", "t", "--workers", "1", "-q")
    assert done.returncode == 0, done.stderr
    (log,) = map(read_log, tmp_path.glob("t/**/*.jsonl"))
    assert log.header["hopeless"] == 1
    assert [record.get("strikes") for _, record in log.of_kind("question") if "strikes" in record]
    assert verify(log).has_ended
