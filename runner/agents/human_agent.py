"""Human agent: a seat that a person plays."""

from __future__ import annotations

import time
from typing import NamedTuple, Protocol

from games.core import Answer
from runner.agents.protocol import Ask, Given, Record, Report


class Decided(NamedTuple):
    """A legal answer of a person, which `Ask.check` has accepted, and what they say to the table with it."""

    answer: Answer
    say: str = ""


class Person(Protocol):
    """Asks the person at a seat."""

    async def decide(self, ask: Ask) -> Decided:
        """The person's decision. PausedError when the person leaves."""


class HumanAgent:
    """A person. Invalid input is corrected in the dialog; only a legal answer reaches the match, so there are no strikes."""

    is_paid = False

    def __init__(self, person: Person) -> None:
        self._person = person

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The person's answer, with the seconds since the question, including the wait for the keyboard."""
        asked = time.monotonic()
        answer, say = await self._person.decide(ask)
        return Given(data=answer, say=say, facts={"latency": round(time.monotonic() - asked, 3)})

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Do nothing: people remember by themselves."""
