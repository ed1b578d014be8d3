"""Seats played by people."""

from __future__ import annotations

import time
from typing import Protocol

from games.core import Answer
from runner.agents.protocol import Ask, Given, Record, Report


class Person(Protocol):
    """Whoever puts a decision to the person at a seat."""

    async def decide(self, ask: Ask) -> Answer:
        """A legal answer: `ask.check` has accepted it. PausedError when the person leaves the table."""


class HumanAgent:
    """A person. What they type wrong is settled with them; only a legal answer comes to the match, so no strike does."""

    is_paid = False

    def __init__(self, person: Person) -> None:
        self._person = person

    async def answer(self, ask: Ask, report: Report) -> Given:
        """What the person answers, with the seconds it took from being asked, waiting for the keyboard included."""
        asked = time.monotonic()
        answer = await self._person.decide(ask)
        return Given(data=answer, facts={"latency": round(time.monotonic() - asked, 3)})

    def remember(self, ask: Ask, attempt: Record) -> None:
        """People remember by themselves."""
