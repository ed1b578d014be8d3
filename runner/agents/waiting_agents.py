"""Waiting agents: seats whose answers come from a person at the terminal, or from a client of a server."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from games.core import Game, quoted, seat_name
from runner.agents.environment import Environment
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Person, Report
from runner.agents.seat_kind import AgentContext, SeatIdentity, Spec
from runner.agents.settings import SeatSettings
from runner.errors import PausedError, UsageError

HUMAN, MCP = "human", "mcp"


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
        self._bound: asyncio.Timeout | None = None

    @property
    def patience(self) -> float | None:
        """Seconds that the next question waits."""
        return self.seconds

    @property
    def left(self) -> float | None:
        """Seconds that the open question still waits; None where it waits for ever, or there is none."""
        until = self._bound.when() if self.ask is not None and self._bound is not None else None
        return None if until is None else max(0.0, until - asyncio.get_running_loop().time())

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The answer that is posted, with the seconds since the question. PausedError when none comes in time."""
        asked, self._reply = time.monotonic(), asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(self.patience) as self._bound:
                self.ask, self.last = ask, ask.number
                self.changed()
                reply = await self._reply
        except TimeoutError:
            raise PausedError(f"{seat_name(ask.seat)} has not answered within {self.seconds:g} s.") from None
        finally:
            self.ask = None
        return replace(reply, facts={"latency": round(time.monotonic() - asked, 3)})

    def post(self, reply: AgentReply) -> None:
        assert self.ask is not None
        assert self._reply is not None
        self.ask = None
        self._reply.set_result(reply)


@dataclass(frozen=True, slots=True)
class Human(Spec):
    """A person at the terminal: `human`."""

    kind = HUMAN
    noun = "person"
    forms = (HUMAN,)

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        return cls(text, pack) if who == HUMAN else None

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        Spec.check(self, game, environment, asks)
        if Human not in asks:
            raise UsageError(
                f"The seat {quoted(self.who)} is a person at the terminal, whom only `tabletop play`, `resume` and `fork`"
                " can ask."
            )

    def describe(self, environment: Environment) -> SeatIdentity:
        return {"consent": False} if self.player else {}  # the door that can ask the person says otherwise

    def reach(self, environment: Environment) -> None:
        return None

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        assert context.person is not None
        return HumanAgent(context.person)


@dataclass(frozen=True, slots=True)
class Mcp(Spec):
    """A client of `tabletop mcp`: `mcp`."""

    kind = MCP

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        return cls(text, pack) if who == MCP else None

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        if Mcp not in asks:
            raise UsageError(
                f"The seat {quoted(self.who)} is for an MCP client, which only `tabletop mcp` can ask: begin or resume the"
                " match there, with the tool new_match."
            )

    def reach(self, environment: Environment) -> None:
        return None

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        return MailboxAgent()
