"""Limits client: a worker's access to the rate limits and the budget of the tournament."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import replace

from runner.arena.messages import (
    Charge,
    Denied,
    Enter,
    Granted,
    LimitsRequest,
    Logged,
    Refuse,
    Release,
    Reserve,
    Settle,
    Succeeded,
    Throttle,
)
from runner.llm.budget import Budget, Reservation
from runner.llm.call_errors import AccountProblem
from runner.llm.prices import Worst
from runner.llm.rate_limiter import Rank
from runner.llm.rate_limiters import Held, Way

Request = LimitsRequest | Logged


class LimitsClient:
    """Sends requests to the tournament and waits for the answers."""

    def __init__(self, send: Callable[[Request], None]) -> None:
        self.send = send
        self._numbers = itertools.count(1)
        self._open: dict[int, asyncio.Future[Reservation | None]] = {}

    async def ask(self, request: Callable[[int], Request]) -> tuple[int, Reservation | None]:
        """The number of a request and what was granted. Cancelling releases it. Raises the error of a denial."""
        number = next(self._numbers)
        self._open[number] = future = asyncio.get_running_loop().create_future()
        self.send(request(number))
        try:
            return number, await future
        except asyncio.CancelledError:
            self._open.pop(number, None)
            self.send(Release(number))
            raise

    def take(self, answer: Granted | Denied) -> None:
        """Deliver an answer to the request it belongs to."""
        future = self._open.pop(answer.number, None)
        if future is None or future.done():
            return
        if isinstance(answer, Granted):
            future.set_result(answer.value)
        else:
            future.set_exception(answer.why)


class RemoteTurns:
    """Turns at the tournament's rate limits for one endpoint."""

    def __init__(self, limits: LimitsClient, way: Way) -> None:
        self._limits, self._way = limits, way
        self._held: list[int] = []

    async def enter(self, rank: Rank) -> None:
        """Wait for a turn."""
        number, _ = await self._limits.ask(lambda number: Enter(number, self._way, rank))
        self._held.append(number)

    def leave(self) -> None:
        """End a turn; it does not matter which."""
        self._limits.send(Release(self._held.pop()))

    def came_through(self) -> None:
        """Report an answered call."""
        self._limits.send(Succeeded(self._way))

    def hold(self, what: Held, seconds: float | None, began: float) -> None:
        """Report that the endpoint asks for a pause."""
        self._limits.send(Throttle(self._way, what, seconds, time.monotonic() - began))

    def refuse(self, problem: AccountProblem) -> None:
        """Report that the endpoint refuses all further calls."""
        self._limits.send(Refuse(self._way, problem))


class RemoteBudget(Budget):
    """The tournament's budget. An unlimited one is only told the charges."""

    def __init__(self, limits: LimitsClient, is_limited: bool) -> None:
        super().__init__()
        self._limits, self._is_limited = limits, is_limited

    @property
    def is_limited(self) -> bool:
        """Whether the tournament's budget has a limit."""
        return self._is_limited

    async def reserve(self, worst: Worst, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call. Raises BudgetSpent when it cannot fit any more."""
        if not self._is_limited:
            return Reservation(source, 0.0, 0, is_bounded=True)
        number, reservation = await self._limits.ask(lambda number: Reserve(number, worst, source))
        assert reservation is not None
        return replace(reservation, number=number)

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Charge what the call cost."""
        if not reservation.is_open:
            return
        reservation.is_open = False
        if self._is_limited:
            self._limits.send(Settle(reservation.number, usd, tokens, is_answer))
        elif usd or tokens:
            self._limits.send(Charge(usd or 0.0, tokens))
