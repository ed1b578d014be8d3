"""Limits server: gives one worker a share of the rate limits and of the budget of the tournament."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine

from runner.arena.messages import (
    Acquire,
    Block,
    Charge,
    Denied,
    Granted,
    Learn,
    LimitsRequest,
    Release,
    Reserve,
    Settle,
    Succeeded,
    Throttle,
)
from runner.errors import BugError, TabletopError, words_of
from runner.llm.budget import Budget, Reservation
from runner.llm.rate_limiter import Learnt, LocalLimits, RateLimiters

Granting = Coroutine[None, None, Reservation | Learnt | None]


class LimitsServer:
    """Serves one worker and knows what it holds. When the worker dies, its limits are released and its open calls are charged
    in full, because they may have been billed."""

    def __init__(self, limiters: RateLimiters, budget: Budget, send: Callable[[Granted | Denied], None]) -> None:
        self._limiters, self._budget, self._send = limiters, budget, send
        self._asking: dict[int, asyncio.Task[None]] = {}
        self._acquired: dict[int, LocalLimits] = {}
        self._reservations: dict[int, Reservation] = {}

    def take(self, request: LimitsRequest) -> None:
        """Carry out a request."""
        match request:
            case Acquire(number=number):
                self._ask(number, self._acquire(request))
            case Reserve(number=number):
                self._ask(number, self._reserve(request))
            case Release(number):
                self._release(number)
            case Learn(key, learnt):
                self._limiters(key).learn(learnt)
            case Succeeded(key):
                self._limiters(key).succeeded()
            case Settle(number, usd, tokens, is_answer):
                self._budget.settle(self._reservations.pop(number), usd, tokens, is_answer)
            case Charge(usd, tokens):
                self._budget.settle(Reservation("", 0.0, 0, is_bounded=True), usd, tokens, is_answer=False)
            case Throttle(key, scope, seconds, age):
                self._limiters(key).throttled(scope, seconds, time.monotonic() - age)
            case Block(key, problem):
                self._limiters(key).block(problem)

    def close(self) -> None:
        """Take everything back from a worker that is gone."""
        for task in self._asking.values():
            task.cancel()
        for limits in self._acquired.values():
            limits.release()
        for reservation in self._reservations.values():
            self._budget.settle_unknown(reservation)
        self._asking, self._acquired, self._reservations = {}, {}, {}

    def _ask(self, number: int, granting: Granting) -> None:
        self._asking[number] = asyncio.create_task(self._answer(number, granting))

    async def _answer(self, number: int, granting: Granting) -> None:
        try:
            self._send(Granted(number, await granting))
        except TabletopError as stop:
            self._send(Denied(number, stop))
        except Exception as bug:  # the worker waits for an answer, whatever it is
            self._send(Denied(number, BugError(f"The limits of the tournament failed: {words_of(bug)}.")))
        finally:
            self._asking.pop(number, None)

    async def _acquire(self, request: Acquire) -> Learnt | None:
        limits = self._limiters(request.key)
        learnt = await limits.acquire(request.priority)
        self._acquired[request.number] = limits
        return learnt

    async def _reserve(self, request: Reserve) -> Reservation:
        reservation = await self._budget.reserve(request.worst, request.source)
        self._reservations[request.number] = reservation
        return reservation

    def _release(self, number: int) -> None:
        if number in self._asking:
            self._asking[number].cancel()
        elif number in self._acquired:
            self._acquired.pop(number).release()
        elif number in self._reservations:
            self._budget.settle(self._reservations.pop(number), 0.0, 0, is_answer=False)
