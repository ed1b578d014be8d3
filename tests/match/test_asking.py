"""Who is asked when, and that the order of answers makes no difference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import games
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.match.match_state import MatchEvent
from runner.record.reader import read_log
from tests.match.tables import Erring, bot, match
from tests.record.matches import short

each_game = pytest.mark.parametrize("game", games.names())


class Decisions:
    """Remembers what was decided."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, str]] = []

    async def emit(self, event: MatchEvent) -> None:
        if event.record["kind"] == "decision":
            self.taken.append((event.record["seat"], json.dumps(event.record["action"])))


class ByView(Agent):
    """Answers by what it sees alone, so that it answers the same however it is asked."""

    needs_sync = False

    def __init__(self, game: str) -> None:
        self._game = game

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        answers = ask.answers()
        return AgentReply(data=answers[hash_of(ask.view) % len(answers)])


def hash_of(view: dict[str, Any]) -> int:
    return sum(json.dumps(view, sort_keys=True).encode()) * 2654435761 % 2**32


@each_game
async def test_asking_at_once_or_one_by_one_plays_the_same_match(game: str) -> None:
    players = games.load(game).players
    for seed in range(6):
        taken = []
        for ask in ("simultaneous", "sequential"):
            made = Decisions()
            agents = [ByView(game) for _ in range(players[seed % len(players)])]
            result = await match(game, agents, seed, sinks=[made], ask=ask, **short(game)).run()
            taken.append((made.taken, result["scores"]))
        assert taken[0] == taken[1]


@each_game
async def test_who_answers_first_makes_no_difference(game: str, tmp_path: Path) -> None:
    default = games.load(game).default_players
    quick: list[Agent] = [bot(game) for _ in range(default)]
    slow: list[Agent] = [Erring(bot(game), 0.0) for _ in range(default)]
    assert (await match(game, quick, 5).run())["scores"] == (await match(game, slow, 5).run())["scores"]


async def test_seats_that_owe_a_decision_together_are_asked_together() -> None:
    class Meeting(Agent):
        """Answers only when everybody who submits has been asked."""

        needs_sync = False
        waiting = 0

        async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
            import asyncio

            if ask.question.role == "submitter":
                Meeting.waiting += 1
                while Meeting.waiting % 3:
                    await asyncio.sleep(0)
            return await bot("dixiquote").answer(ask, report)

    result = await match("dixiquote", [Meeting() for _ in range(4)], seed=1, max_rounds=2).run()
    assert Meeting.waiting == 6
    assert result["rounds"] == 2


@each_game
async def test_a_forced_decision_is_taken_without_asking(game: str, tmp_path: Path) -> None:
    players = games.load(game).default_players
    asked, told = tmp_path / "asked.jsonl", tmp_path / "told.jsonl"
    await match(game, [bot(game) for _ in range(players)], 2, asked, ask_forced=True).run()
    await match(game, [bot(game) for _ in range(players)], 2, told).run()
    questions = {log: sum(1 for _ in read_log(log).of_kind("question")) for log in (asked, told)}
    forced = sum(record["how"] == "forced" for _, record in read_log(told).of_kind("decision"))
    assert sum(record["how"] == "forced" for _, record in read_log(asked).of_kind("decision")) == 0
    decisions = sum(1 for _ in read_log(told).of_kind("decision"))
    assert questions[told] == decisions - forced + sum(1 for _ in read_log(told).of_kind("moot"))
