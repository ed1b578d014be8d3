"""Resumed agent: gives the answers in the log first, then asks."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.core import Event
from runner.agents.protocol import Agent, Ask, Given, Mistake, OutsideAgent, Record, Report

_OF_THE_LOOP = {"kind", "question", "seat", "strike", "outcome", "what", "why", "answer", "read_as", "say", "at"}


class RecordedAgent:
    """Gives the logged answers, and asks `agent` from their end on."""

    def __init__(self, agent: Agent, answers: Mapping[int, Sequence[Record]]) -> None:
        self.is_paid = agent.is_paid
        self._agent = agent
        self._answers = {number: deque(attempts) for number, attempts in answers.items()}

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The next logged answer to a question, or a new one."""
        waiting = self._answers.get(ask.number, deque())
        while waiting:
            record = waiting.popleft()
            if record["outcome"] in ("answer", "mistake"):
                self._agent.remember(ask, record)
                return replace(given(record), is_replayed=True)
            await report(record)
        return await self._agent.answer(ask, report)

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Pass it on."""
        self._agent.remember(ask, attempt)

    async def end(self, told: Sequence[Event], result: Record | None) -> None:
        """Pass it on."""
        if isinstance(self._agent, OutsideAgent):
            await self._agent.end(told, result)


def given(record: Record) -> Given:
    """The answer in a record. The match checks again whether it is legal; what was refused stays refused."""
    text = str((record.get("reply") or {}).get("text", ""))
    facts: Record = {name: value for name, value in record.items() if name not in _OF_THE_LOOP}
    if record["outcome"] == "answer" or record["what"] == "illegal":
        refused, say = str(record.get("why", "")), str(record.get("say", ""))
        return Given(record["answer"], text=text, facts=facts, refused=refused, say=say)
    return Given(mistake=Mistake(record["what"], text, record["why"]), text=text, facts=facts)
