"""Limits server: gives one worker its turns at the rate limits and its reservations of the budget of the tournament."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine

from runner.arena.messages import (
    Charge,
    Denied,
    Enter,
    Granted,
    LimitsRequest,
    Refuse,
    Release,
    Reserve,
    Settle,
    Succeeded,
    Throttle,
)
from runner.errors import TabletopError
from runner.llm.budget import Budget, Reservation
from runner.llm.rate_limiters import Gates, GateTurns

Granting = Coroutine[None, None, Reservation | None]


class LimitsServer:
    """Serves one worker and knows what it holds. When the worker dies, its turns are released and its open calls are charged in
    full, because they may have been billed."""

    def __init__(self, gates: Gates, budget: Budget, send: Callable[[Granted | Denied], None]) -> None:
        self._gates, self._budget, self._send = gates, budget, send
        self._asking: dict[int, asyncio.Task[None]] = {}
        self._turns: dict[int, GateTurns] = {}
        self._reservations: dict[int, Reservation] = {}

    def take(self, request: LimitsRequest) -> None:
        """Carry out a request."""
        match request:
            case Enter(number=number):
                self._ask(number, self._enter(request))
            case Reserve(number=number):
                self._ask(number, self._reserve(request))
            case Release(number):
                self._release(number)
            case Succeeded(way):
                self._gates(way).came_through()
            case Settle(number, usd, tokens, is_answer):
                self._budget.settle(self._reservations.pop(number), usd, tokens, is_answer)
            case Charge(usd, tokens):
                self._budget.settle(Reservation("", 0.0, 0, is_bounded=True), usd, tokens, is_answer=False)
            case Throttle(way, what, seconds, age):
                self._gates(way).hold(what, seconds, time.monotonic() - age)
            case Refuse(way, problem):
                self._gates(way).refuse(problem)

    def close(self) -> None:
        """Take everything back from a worker that is gone."""
        for task in self._asking.values():
            task.cancel()
        for turns in self._turns.values():
            turns.leave()
        for reservation in self._reservations.values():
            self._budget.settle_unknown(reservation)
        self._asking, self._turns, self._reservations = {}, {}, {}

    def _ask(self, number: int, granting: Granting) -> None:
        self._asking[number] = asyncio.create_task(self._answer(number, granting))

    async def _answer(self, number: int, granting: Granting) -> None:
        try:
            self._send(Granted(number, await granting))
        except TabletopError as stop:
            self._send(Denied(number, stop))
        finally:
            self._asking.pop(number, None)

    async def _enter(self, request: Enter) -> None:
        turns = self._gates(request.way)
        await turns.enter(request.rank)
        self._turns[request.number] = turns

    async def _reserve(self, request: Reserve) -> Reservation:
        reservation = await self._budget.reserve(request.worst, request.source)
        self._reservations[request.number] = reservation
        return reservation

    def _release(self, number: int) -> None:
        if number in self._asking:
            self._asking[number].cancel()
        elif number in self._turns:
            self._turns.pop(number).leave()
        elif number in self._reservations:
            self._budget.settle(self._reservations.pop(number), 0.0, 0, is_answer=False)
