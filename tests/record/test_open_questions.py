"""A log that ends while several seats are asked at once: what is answered stays, what is open is asked as it was, and once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Report
from runner.match.match_state import MatchState
from runner.match.records import Record as LogRecord
from runner.record.decisions import decision_at, fork_record, kept_lines
from runner.record.reader import Log, read_log
from runner.record.replay import match_of
from runner.record.resume import Past
from runner.record.verify import verify
from tests.record.matches import erring, gone_on, in_any_order, played, short, told

PLAYERS = 5


class Asked(Agent):
    """A seat that says what it was asked: the question, the kinds of its mistakes, what it was told, and what it remembers."""

    needs_sync = False

    def __init__(self, agent: Agent) -> None:
        self.asked: list[tuple[int, list[str], list[str]]] = []
        self.remembered: list[tuple[int, int, str]] = []
        self._agent = agent

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        self.asked.append((ask.number, [mistake.kind for mistake in ask.mistakes], [event.text for event in ask.told]))
        given = await self._agent.answer(ask, report)
        return replace(given, say=f"Hello from {ask.number}." if ask.number % 2 else "")

    def remember(self, ask: DecisionRequest, attempt: JsonRecord) -> None:
        self.remembered.append((ask.number, len(ask.mistakes), attempt["outcome"]))


def seats(game: str = "dixiquote", players: int = PLAYERS) -> list[Asked]:
    return [Asked(agent) for agent in erring(game, players, 0.6)]


@pytest.fixture
async def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.jsonl"
    await played(path, "dixiquote", seats(), 5, max_rounds=2, talk=True)
    return path


def kinds_by_line(path: Path) -> list[tuple[str, Any]]:
    """The kind and the seat of each record, by its place in the file; shared values among them."""
    records = dict(read_log(path).records)
    lines = range(1, len(path.read_bytes().splitlines()) + 1)
    return [(records[n]["kind"], records[n].get("seat")) if n in records else ("", None) for n in lines]


def step(path: Path) -> range:
    """The places of the first step of four seats: from its first question to its last decision."""
    kinds = [(place, kind, seat) for place, (kind, seat) in enumerate(kinds_by_line(path)) if kind in ("question", "decision")]
    names = "".join(kind[0] for _, kind, _ in kinds)
    start = names.index("qqqq")
    return range(kinds[start][0], kinds[start + 7][0] + 1)


def cut(whole: Path, count: int) -> Path:
    part = whole.with_name("part.jsonl")
    part.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:count]))
    return part


def folded(log: Log) -> MatchState:
    match = match_of(log.header)
    for _, record in log.records:
        match.take(record)
    return match


async def test_what_is_open_at_any_line_of_a_step(whole: Path) -> None:
    for count in range(step(whole).start, step(whole).stop + 1):
        log = read_log(cut(whole, count))
        match = folded(log)
        asked = {r["seat"]: r["question"] for _, r in log.of_kind("question")}
        decided = {r["seat"]: line for line, r in log.of_kind("decision")}
        waiting = {seat: number for seat, number in asked.items() if decided.get(seat, 0) < line_of(log, number)}
        assert {seat: question.number for seat, question in match.open.items()} == waiting
        for seat, question in match.open.items():
            outcomes = [r["outcome"] for _, r in log.of_kind("attempt") if r["question"] == question.number]
            assert question.mistakes == outcomes.count("mistake")
            assert question.is_decided == ("answer" in outcomes or question.mistakes == 3)
            assert len(question.ask.mistakes) == question.mistakes
            assert question.ask.view == match.asking.view(seat)
        assert set(match.open) <= set(match.step())


def line_of(log: Log, question: int) -> int:
    return next(line for line, record in log.of_kind("question") if record["question"] == question)


async def test_only_what_is_open_is_asked_and_with_its_mistakes(whole: Path) -> None:
    want = in_any_order(told(whole))
    for count in range(step(whole).start, step(whole).stop + 2):
        part, agents = cut(whole, count), seats()
        log = read_log(part)
        answered = [(r["question"], r["strike"]) for _, r in log.of_kind("attempt")]
        mistakes = {r["question"]: 0 for _, r in log.of_kind("question")}
        for question, strike in answered:
            mistakes[question] = strike + 1
        await gone_on(part, agents)
        for seat in agents:
            assert len({(number, len(wrong)) for number, wrong, _ in seat.asked}) == len(seat.asked)
            assert not {(number, len(wrong)) for number, wrong, _ in seat.asked} & set(answered)
            assert all(len(wrong) >= mistakes.get(number, 0) for number, wrong, _ in seat.asked)
        remembered = sorted((number, wrong) for seat in agents for number, wrong, _ in seat.remembered)
        assert remembered == sorted(answered)
        assert in_any_order(told(part)) == want
        verify(read_log(part))


async def test_what_a_seat_was_told_with_an_open_question_it_is_told_again(whole: Path) -> None:
    first = seats()
    await played(whole.with_name("same.jsonl"), "dixiquote", first, 5, max_rounds=2, talk=True)
    told_with = {number: events for seat in first for number, wrong, events in seat.asked if not wrong}
    for count in range(step(whole).start, step(whole).stop + 2):
        agents = seats()
        await gone_on(cut(whole, count), agents)
        for seat in agents:
            assert all(events == told_with[number] for number, _, events in seat.asked)


@pytest.mark.parametrize(("game", "players"), [("dixiquote", PLAYERS), ("coup", 4)])
async def test_what_a_decision_brings_is_written_where_the_log_ends_before_it(game: str, players: int, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    rules = {"max_turns": 6} if game == "coup" else short(game)
    await played(whole, game, seats(game, players), 6, talk=True, **rules)
    kinds = [kind for kind, _ in kinds_by_line(whole)]
    for kind in {"phase", "penalty", "talk", "result"} | ({"moot"} if game == "coup" else set()):
        places = [place for place, found in enumerate(kinds) if found == kind]
        assert places, kind
        for place in {places[0], places[len(places) // 2], places[-1]}:
            part = cut(whole, place)
            await gone_on(part, seats(game, players))
            assert in_any_order(told(part)) == in_any_order(told(whole)), (kind, place)


async def test_a_fork_within_a_step_asks_the_rest_of_its_seats_as_they_were_asked(whole: Path) -> None:
    log = read_log(whole)
    within = [number for number, line in enumerate((line for line, _ in log.of_kind("decision")), 1) if line - 1 in step(whole)]
    assert len(within) == 4
    for number in within:
        decision = decision_at(log, number)
        kept = kept_lines(log, decision)
        header = {**log.header, "fork": fork_record(log, decision, kept)}
        records: Sequence[LogRecord] = [record for _, record in kept]
        match = await Past(header, records, header).fold(match_of(log.header).config, seats())  # type: ignore[arg-type]
        assert match.step() == tuple(decision_at(log, one).seat for one in within)[within.index(number) :]
        assert match.asking == decision_at(log, within[0]).before
        assert match.open == {}
        assert match.questions == decision_at(log, within[0]).question["question"] + within.index(number)  # type: ignore[index]
