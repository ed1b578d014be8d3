"""The worker's side of borrowing: turns and money that the tournament has, asked for one by one."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from runner.arena.messages import CameThrough, Denied, Enter, GiveBack, Granted, Hold, Refuse, Reserve, Settle, Spent
from runner.llm.budget import Budget, Reservation
from runner.llm.call_errors import AccountProblem
from runner.llm.prices import WorstCase
from runner.llm.rate_limiter import LimitKey, LimitScope, Priority


class Counter:
    """Asks the tournament, and waits for what it says."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self.send = send
        self._numbers = itertools.count(1)
        self._open: dict[int, asyncio.Future[Reservation | None]] = {}

    async def ask(self, question: Callable[[int], Any]) -> tuple[int, Reservation | None]:
        """The number of a question, and what is granted. Who stops waiting gives it back."""
        number = next(self._numbers)
        self._open[number] = future = asyncio.get_running_loop().create_future()
        self.send(question(number))
        try:
            return number, await future
        except asyncio.CancelledError:
            self._open.pop(number, None)
            self.send(GiveBack(number))
            raise

    def take(self, answer: Granted | Denied) -> None:
        """What the tournament says."""
        future = self._open.pop(answer.number, None)
        if future is None or future.done():
            return
        if isinstance(answer, Granted):
            future.set_result(answer.value)
        else:
            future.set_exception(answer.why)


class BorrowedTurns:
    """Turns at the tournament's gates."""

    def __init__(self, counter: Counter, way: LimitKey) -> None:
        self._counter, self._way = counter, way
        self._had: list[int] = []

    async def acquire(self, rank: Priority) -> None:
        """Wait for a turn."""
        number, _ = await self._counter.ask(lambda number: Enter(number, self._way, rank))
        self._had.append(number)

    def release(self) -> None:
        """End a turn; all of a way are alike."""
        self._counter.send(GiveBack(self._had.pop()))

    def succeeded(self) -> None:
        """A call was answered."""
        self._counter.send(CameThrough(self._way))

    def throttled(self, scope: LimitScope, seconds: float | None, began: float) -> None:
        """Hold everybody back."""
        self._counter.send(Hold(self._way, scope, seconds, time.monotonic() - began))

    def block(self, problem: AccountProblem) -> None:
        """Refuse everybody."""
        self._counter.send(Refuse(self._way, problem))


class BorrowedBudget(Budget):
    """Money of the tournament's budget. Where that has no limit, it is only told what was spent."""

    def __init__(self, counter: Counter, is_limited: bool) -> None:
        super().__init__()
        self._counter, self._is_limited = counter, is_limited

    @property
    def is_limited(self) -> bool:
        """Whether the tournament's budget has a limit."""
        return self._is_limited

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Have the worst case set aside. Raises BudgetSpent when it cannot fit any more."""
        if not self._is_limited:
            return Reservation(source, 0.0, 0, is_bounded=True)
        number, reservation = await self._counter.ask(lambda number: Reserve(number, worst, source))
        assert reservation is not None
        return replace(reservation, number=number)

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Tell what the call took."""
        if not reservation.is_open:
            return
        reservation.is_open = False
        if self._is_limited:
            self._counter.send(Settle(reservation.number, usd, tokens, is_answer))
        elif usd or tokens:
            self._counter.send(Spent(usd or 0.0, tokens))
