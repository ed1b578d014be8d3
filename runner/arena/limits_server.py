"""Where a worker borrows turns and money: the one set of gates and the one budget of a tournament."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from runner.arena.messages import CameThrough, Denied, Enter, GiveBack, Granted, Hold, Refuse, Reserve, Settle, Spent
from runner.errors import TabletopError
from runner.llm.budget import Budget, Reservation
from runner.llm.rate_limiters import Gates, GateTurns


class Desk:
    """Serves one worker, and knows what it has: when the worker dies, its turns go back and its calls under way are charged
    in full, as they may have been billed."""

    def __init__(self, gates: Gates, budget: Budget, send: Callable[[Any], None]) -> None:
        self._gates, self._budget, self._send = gates, budget, send
        self._asking: dict[int, asyncio.Task[None]] = {}
        self._turns: dict[int, GateTurns] = {}
        self._money: dict[int, Reservation] = {}

    def take(self, message: Any) -> None:
        """Do what a message asks for."""
        match message:
            case Enter(number=number):
                self._ask(number, self._enter(message))
            case Reserve(number=number):
                self._ask(number, self._reserve(message))
            case GiveBack(number):
                self._give_back(number)
            case CameThrough(way):
                self._gates(way).came_through()
            case Settle(number, usd, tokens, is_answer):
                self._budget.settle(self._money.pop(number), usd, tokens, is_answer)
            case Spent(usd, tokens):
                self._budget.settle(Reservation("", 0.0, 0, is_bounded=True), usd, tokens, is_answer=False)
            case Hold(way, what, seconds, age):
                self._gates(way).hold(what, seconds, time.monotonic() - age)
            case Refuse(way, problem):
                self._gates(way).refuse(problem)
            case _:
                raise TypeError(f"a worker said {message!r}")

    def close(self) -> None:
        """The worker is gone."""
        for task in self._asking.values():
            task.cancel()
        for turns in self._turns.values():
            turns.leave()
        for reservation in self._money.values():
            self._budget.settle_unknown(reservation)
        self._asking, self._turns, self._money = {}, {}, {}

    def _ask(self, number: int, asking: Coroutine[Any, Any, Reservation | None]) -> None:
        self._asking[number] = asyncio.create_task(self._answer(number, asking))

    async def _answer(self, number: int, asking: Coroutine[Any, Any, Reservation | None]) -> None:
        try:
            self._send(Granted(number, await asking))
        except TabletopError as stop:
            self._send(Denied(number, stop))
        finally:
            self._asking.pop(number, None)

    async def _enter(self, asked: Enter) -> None:
        turns = self._gates(asked.way)
        await turns.enter(asked.rank)
        self._turns[asked.number] = turns

    async def _reserve(self, asked: Reserve) -> Reservation:
        reservation = await self._budget.reserve(asked.worst, asked.source)
        self._money[asked.number] = reservation
        return reservation

    def _give_back(self, number: int) -> None:
        if number in self._asking:
            self._asking[number].cancel()
        elif number in self._turns:
            self._turns.pop(number).leave()
        elif number in self._money:
            self._budget.settle(self._money.pop(number), 0.0, 0, is_answer=False)
