"""Answers that are not written exactly: how the log says that they were read, and that what a log refused stays refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.match.tables import bot
from tests.record.matches import played


class Shouting(Agent):
    """A bot that writes its values in capitals and adds a field; `refused` is what a log says of each answer."""

    needs_sync = False

    def __init__(self, refused: str = "") -> None:
        self._refused = refused

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        given = await bot("coup").answer(ask, report)
        assert isinstance(given.data, dict)
        shouted = {name: value.upper() for name, value in given.data.items()}
        return replace(given, data={**shouted, "why": "because"}, refused=self._refused)


async def attempts(path: Path, seat: Any) -> list[dict[str, Any]]:
    await played(path, "coup", [seat, bot("coup")], 3, max_turns=6)
    log = read_log(path)
    verify(log)
    return [dict(record) for _, record in log.of_kind("attempt")]


async def test_the_log_says_as_what_an_answer_was_read(tmp_path: Path) -> None:
    for attempt in await attempts(tmp_path / "match.jsonl", Shouting()):
        assert attempt["outcome"] == "answer"
        if attempt["seat"] == 0:
            assert attempt["answer"] != attempt["read_as"]
            assert json.dumps(attempt["answer"]).casefold().startswith(json.dumps(attempt["read_as"]).casefold()[:-1])
        else:
            assert "read_as" not in attempt


async def test_an_answer_that_a_log_refused_stays_refused(tmp_path: Path) -> None:
    shouted = await attempts(tmp_path / "match.jsonl", Shouting("written exactly, it is something else"))
    assert {attempt["what"] for attempt in shouted if attempt["seat"] == 0} == {"illegal"}


def test_an_answer_from_a_log_repeats_the_refusal() -> None:
    why = "written exactly, it is something else"
    given = AgentReply.logged({"outcome": "mistake", "what": "illegal", "why": why, "answer": {"response": "PASS"}})
    assert (given.data, given.refused) == ({"response": "PASS"}, why)
