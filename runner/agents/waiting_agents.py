"""Waiting agents: seats whose answers come from a person at the terminal, or from a client of a server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, Protocol

from games.core import Answer, seat_name
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.errors import PausedError


class Decided(NamedTuple):
    """A legal answer of a person, which `DecisionRequest.check` has accepted, and what they say to the table with it."""

    answer: Answer
    say: str = ""


class Person(Protocol):
    """Asks the person at a seat."""

    async def decide(self, ask: DecisionRequest) -> Decided:
        """The person's decision. PausedError when the person leaves."""


class HumanAgent(Agent):
    """A person. Invalid input is corrected in the dialog; only a legal answer reaches the match, so there are no strikes."""

    def __init__(self, person: Person) -> None:
        self._person = person

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The person's answer, with the seconds since the question, including the wait for the keyboard."""
        asked = time.monotonic()
        answer, say = await self._person.decide(ask)
        return AgentReply(data=answer, say=say, facts={"latency": round(time.monotonic() - asked, 3)})


class MailboxAgent(Agent):
    """Waits for the answer that is posted.

    `ask` is the open question, None while there is none; `last` is the number of the last question, -1 before the first.
    `changed` is called when a question opens. `seconds` is the longest wait for an answer; None waits for ever.
    """

    def __init__(self) -> None:
        self.ask: DecisionRequest | None = None
        self.last = -1
        self.seconds: float | None = None
        self.changed: Callable[[], None] = lambda: None
        self._reply: asyncio.Future[AgentReply] | None = None

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The answer that is posted, with the seconds since the question. PausedError when none comes in time."""
        asked, self._reply = time.monotonic(), asyncio.get_running_loop().create_future()
        self.ask, self.last = ask, ask.number
        self.changed()
        try:
            async with asyncio.timeout(self.seconds):
                reply = await self._reply
        except TimeoutError:
            raise PausedError(f"{seat_name(ask.seat)} has not answered within {self.seconds:g} s.", seat=ask.seat) from None
        finally:
            self.ask = None
        return replace(reply, facts={"latency": round(time.monotonic() - asked, 3)})

    def post(self, reply: AgentReply) -> None:
        assert self.ask is not None
        assert self._reply is not None
        self.ask = None
        self._reply.set_result(reply)
