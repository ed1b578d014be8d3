"""Table talk in the match loop: when a line becomes public, who hears it, and what the log has of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.core import Rng
from runner.agents.protocol import LONGEST_LINE, Agent, AgentReply, DecisionRequest, Report, TalkLine, clean_line
from runner.match.match_state import MatchEvent
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.record.writer import LogWriter
from tests.match.tables import match
from tests.record.matches import SMALL, gone_on, told


class Talking(Agent):
    """Decides and talks by its view alone; one time in four it is silent."""

    needs_sync = False

    def __init__(self) -> None:
        self.heard: list[tuple[TalkLine, ...]] = []

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        assert ask.can_talk
        self.heard.append(ask.talk)
        chance = Rng.of("talking", json.dumps(ask.view, sort_keys=True), ask.seat)
        word = chance.below(1000)
        return AgentReply(data=chance.choice(ask.answers()), say=f"{ask.seat}\n{word}" if word % 4 else "")


class Events:
    """A sink that keeps the records."""

    def __init__(self) -> None:
        self.records: list[Any] = []

    async def emit(self, event: MatchEvent) -> None:
        self.records.append(event.record)


def talking(players: int) -> list[Agent]:
    return [Talking() for _ in range(players)]


OPTIONS: dict[str, dict[str, Any]] = {"dixiquote": SMALL, "cat_in_the_box": {}, "coup": {}, "oriflamme": {}}


@pytest.mark.parametrize("game", games.names())
async def test_whichever_way_seats_are_asked_they_hear_the_same(game: str) -> None:
    heard, said = [], []
    for ask in ("simultaneous", "sequential"):
        agents, events = [Talking() for _ in range(4)], Events()
        await match(game, agents, 5, sinks=[events], talk=True, ask=ask, **OPTIONS[game]).run()
        told = [record for record in events.records if record["kind"] == "talk"]
        said.append([(record["seat"], record["text"]) for record in told])
        heard.append([agent.heard for agent in agents])
    assert said[0]
    assert said[0] == said[1]
    if game != "coup":  # there a challenge ends a window before all have been asked one by one
        assert heard[0] == heard[1]


@pytest.mark.parametrize("game", games.names())
async def test_nothing_is_said_while_a_seat_that_was_asked_decides(game: str) -> None:
    events, deciding, lines = Events(), set[int](), 0
    await match(game, talking(4), 2, sinks=[events], talk=True, **OPTIONS[game]).run()
    for record in events.records:
        if record["kind"] == "question":
            deciding.add(record["seat"])
        elif record["kind"] == "decision" or record.get("outcome") == "answer":
            deciding.discard(record["seat"])
        elif record["kind"] == "talk":
            lines += 1
            assert not deciding
    assert lines


async def test_what_is_said_with_an_invalid_or_a_moot_answer_stays_unsaid() -> None:
    class Loud(Talking):
        async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
            self.heard.append(ask.talk)
            if not ask.mistakes:
                return AgentReply(data={}, say="never")
            return AgentReply(data=Rng.of("loud", ask.number).choice(ask.answers()), say=f"{ask.number}")

    events = Events()
    await match("coup", [Loud() for _ in range(4)], 3, sinks=[events], talk=True).run()
    moot = [record["seat"] for record in events.records if record["kind"] == "moot"]
    applied = [record for record in events.records if record["kind"] == "decision" and record["how"] == "answer"]
    lines = [record for record in events.records if record["kind"] == "talk"]
    assert moot
    assert len(lines) == len(applied)
    assert all(line["text"] == str(line["question"]) for line in lines)


async def test_without_talk_nothing_is_said() -> None:
    class Intruding(Talking):
        async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
            assert not ask.can_talk
            assert not ask.talk
            return AgentReply(data=ask.answers()[0], say="Hello?")

    events = Events()
    await match("oriflamme", [Intruding() for _ in range(3)], sinks=[events]).run()
    assert not [record for record in events.records if record["kind"] == "talk" or "say" in record]
    assert "talk" not in events.records[0]


@pytest.mark.parametrize("ask", ["simultaneous", "sequential"])
async def test_a_log_that_stops_anywhere_resumes_with_the_same_talk(tmp_path: Path, ask: str) -> None:
    whole = tmp_path / "whole.jsonl"
    writer = LogWriter(whole)
    await match("dixiquote", talking(3), 1, writer, talk=True, ask=ask, deck=SMALL["deck"], max_rounds=1).run()
    writer.close()
    assert verify(read_log(whole)).has_ended
    lines = whole.read_bytes().splitlines(keepends=True)
    talk = [place for place, line in enumerate(lines) if line.startswith(b'{"kind":"talk"')]
    assert talk
    for kept in {place + more for place in talk for more in (-1, 0, 1)}:
        part = tmp_path / f"{kept}.jsonl"
        part.write_bytes(b"".join(lines[:kept]))
        await gone_on(part, talking(3))
        assert [one for one in told(part) if one["kind"] == "talk"] == [one for one in told(whole) if one["kind"] == "talk"]
        verify(read_log(part))


@given(st.text(max_size=400))
def test_a_line_is_one_line_of_shown_letters(said: str) -> None:
    line = clean_line(said)
    assert len(line) <= LONGEST_LINE
    assert line.isprintable() or not line
    assert line == line.strip() == clean_line(line)
