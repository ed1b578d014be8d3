"""Mailbox agent: a seat whose answers come from outside the match, such as from a client of a server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from games.core import seat_name
from runner.agents.protocol import Ask, Given, Record, Report
from runner.errors import PausedError


class MailboxAgent:
    """Waits for the answer that `post` brings.

    `ask` is the open question, None while there is none; `last` is the number of the last question, -1 before the first.
    `changed` is called when a question opens. `seconds` is the longest wait for an answer; None waits for ever.
    """

    is_paid = False

    def __init__(self) -> None:
        self.ask: Ask | None = None
        self.last = -1
        self.seconds: float | None = None
        self.changed: Callable[[], None] = lambda: None
        self._given: asyncio.Future[Given] | None = None

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The answer that is posted, with the seconds since the question. PausedError when none comes in time."""
        asked, self._given = time.monotonic(), asyncio.get_running_loop().create_future()
        self.ask, self.last = ask, ask.number
        self.changed()
        try:
            async with asyncio.timeout(self.seconds):
                given = await self._given
        except TimeoutError:
            raise PausedError(f"{seat_name(ask.seat)} has not answered within {self.seconds:g} s.", seat=ask.seat) from None
        finally:
            self.ask = None
        return replace(given, facts={"latency": round(time.monotonic() - asked, 3)})

    def post(self, given: Given) -> None:
        """Answer the open question."""
        assert self.ask is not None
        assert self._given is not None
        self.ask = None
        self._given.set_result(given)

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Do nothing: a client remembers by itself."""
