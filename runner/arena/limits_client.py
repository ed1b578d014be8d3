"""Limits client: a worker's access to the rate limits and the budget of the tournament."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import replace

from runner.arena.messages import (
    Acquire,
    Block,
    Charge,
    Denied,
    Granted,
    Learn,
    LimitsRequest,
    Logged,
    Release,
    Reserve,
    Settle,
    Succeeded,
    Throttle,
)
from runner.llm.budget import Budget, Reservation
from runner.llm.call_errors import AccountProblem
from runner.llm.prices import WorstCase
from runner.llm.rate_limiter import Learnt, LimitKey, LimitScope, Priority

Request = LimitsRequest | Logged


class LimitsClient:
    """Sends requests to the tournament and waits for the answers."""

    def __init__(self, send: Callable[[Request], None]) -> None:
        self.send = send
        self._numbers = itertools.count(1)
        self._open: dict[int, asyncio.Future[Reservation | Learnt | None]] = {}

    async def ask(self, request: Callable[[int], Request]) -> tuple[int, Reservation | Learnt | None]:
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


class RemoteLimits:
    """The tournament's rate limits of one LimitKey."""

    def __init__(self, client: LimitsClient, key: LimitKey) -> None:
        self._client, self._key = client, key
        self._acquired: list[int] = []

    async def acquire(self, priority: Priority) -> Learnt | None:
        """Wait until a call may start; what any worker learnt last."""
        number, learnt = await self._client.ask(lambda number: Acquire(number, self._key, priority))
        self._acquired.append(number)
        return learnt if isinstance(learnt, Learnt) else None

    def learn(self, learnt: Learnt) -> None:
        """Tell the other workers."""
        self._client.send(Learn(self._key, learnt))

    def release(self) -> None:
        """End a call; it does not matter which."""
        self._client.send(Release(self._acquired.pop()))

    def succeeded(self) -> None:
        """Report an answered call."""
        self._client.send(Succeeded(self._key))

    def throttled(self, scope: LimitScope, seconds: float | None, began: float) -> None:
        """Report that the endpoint asks for a pause."""
        self._client.send(Throttle(self._key, scope, seconds, time.monotonic() - began))

    def block(self, problem: AccountProblem) -> None:
        """Report that the endpoint refuses all further calls."""
        self._client.send(Block(self._key, problem))


class RemoteBudget(Budget):
    """The tournament's budget. An unlimited one is only told the charges."""

    def __init__(self, client: LimitsClient, is_limited: bool) -> None:
        super().__init__()
        self._client, self._is_limited = client, is_limited

    @property
    def is_limited(self) -> bool:
        """Whether the tournament's budget has a limit."""
        return self._is_limited

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call. Raises BudgetSpent when it cannot fit any more."""
        if not self._is_limited:
            return Reservation(source, 0.0, 0, is_bounded=True)
        number, reservation = await self._client.ask(lambda number: Reserve(number, worst, source))
        assert isinstance(reservation, Reservation)
        return replace(reservation, number=number)

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Charge what the call cost."""
        if not reservation.is_open:
            return
        reservation.is_open = False
        if self._is_limited:
            self._client.send(Settle(reservation.number, usd, tokens, is_answer))
        elif usd or tokens:
            self._client.send(Charge(usd or 0.0, tokens))
