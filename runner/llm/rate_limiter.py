"""The gate all matches of a process pass on their way to one key or model: pauses, concurrency, and the breaker."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from enum import IntEnum

from runner.llm.call_errors import AccountProblem, Outage
from runner.llm.clock import Clock

_GROWTH = 0.25
"""How much a success widens the gate: by a quarter each time all that were under way came through."""

_PAUSE_UNTOLD = 0.5
"""Seconds everybody waits after a 429 that does not say how long."""


class Rank(IntEnum):
    """Who goes first: a call that failed has waited its back-off already, one that was throttled its Retry-After."""

    FAILED = 0
    THROTTLED = 1
    NEW = 2


class Gate:
    """Lets a bounded number of calls through at once: by rank, and within a rank in the order they came.

    A throttled call halves the bound, at most once for all the calls that were under way then, and holds everybody back
    for as long as the endpoint says. A success widens it again. Once refused for good, the gate raises what it was told.
    """

    def __init__(self, most: int, longest_wait: float, clock: Clock) -> None:
        self._most = most
        self._limit = float(most)
        self._longest_wait = longest_wait
        self._clock = clock
        self._in_flight = 0
        self._queue: list[tuple[Rank, int, asyncio.Future[None]]] = []
        self._tickets = itertools.count()
        self._opens_at = 0.0
        self._narrowed_at = -1.0
        self._refusal: AccountProblem | None = None

    @property
    def limit(self) -> int:
        """How many calls may be under way at once now."""
        return max(1, int(self._limit))

    @property
    def in_flight(self) -> int:
        """How many calls are under way, or held back at the gate's head."""
        return self._in_flight

    async def enter(self, rank: Rank = Rank.NEW) -> None:
        """Waits for this call's turn. Raises AccountProblem when refused for good, Outage when the wait is too long."""
        self._raise_if_refused()
        place = rank, next(self._tickets)
        await self._slot(place)
        while await self._slept():
            if self._in_flight > self.limit:
                self.leave()
                await self._slot(place)

    def leave(self) -> None:
        """Ends a call that had entered, and lets the next ones in."""
        self._in_flight -= 1
        self._hand_over()

    def widen(self) -> None:
        """A call came through."""
        if self._limit < self._most:
            self._limit = min(float(self._most), self._limit + _GROWTH)
            self._hand_over()

    def hold(self, seconds: float | None, began: float) -> None:
        """Holds everybody back for so many seconds, and narrows the gate if the call began after it was last narrowed."""
        now = self._clock.now()
        self._opens_at = max(self._opens_at, now + (_PAUSE_UNTOLD if seconds is None else seconds))
        if began >= self._narrowed_at:
            self._limit = max(1.0, min(self._limit, float(self._in_flight)) / 2)
            self._narrowed_at = now

    def refuse(self, problem: AccountProblem) -> None:
        """Stops all work behind this gate, until the problem's own end if it has one."""
        self._refusal = problem

    def _raise_if_refused(self) -> None:
        problem = self._refusal
        if problem is None:
            return
        if problem.until is not None and problem.until <= self._clock.today():
            self._refusal = None
            return
        raise AccountProblem(problem.why, problem.kind, problem.stops, problem.until)

    async def _slept(self) -> bool:
        """Waits with a slot in hand until the gate is open; whether it had to. Gives the slot up when it raises."""
        try:
            self._raise_if_refused()
            wait = self._opens_at - self._clock.now()
            if wait <= 0:
                return False
            if wait > self._longest_wait:
                why = f"the endpoint asks to wait {wait:.0f} s, longer than the {self._longest_wait:.0f} s allowed."
                raise Outage(why, "long_wait")
            await self._clock.sleep(wait)
            return True
        except BaseException:
            self.leave()
            raise

    async def _slot(self, place: tuple[Rank, int]) -> None:
        """Takes a slot, in turn."""
        if self._in_flight < self.limit and not self._queue:
            self._in_flight += 1
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (*place, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def _hand_over(self) -> None:
        while self._queue and self._in_flight < self.limit:
            turn = heapq.heappop(self._queue)[2]
            if not turn.done():
                self._in_flight += 1
                turn.set_result(None)
