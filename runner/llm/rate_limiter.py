"""Rate limiter: how many calls to a model, and with a key, are in flight at once, and when the next one may start."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple, Protocol

from runner.llm.call_errors import AccountProblem, Outage
from runner.llm.clock import Clock
from runner.llm.request import Capabilities
from runner.llm.reset_time import reset_time
from runner.llm.retry import RetryPolicy

KEY_MAX_IN_FLIGHT = 1000
"""Calls in flight at once with one key, over all its models: as many as the client keeps connections."""

_INCREASE = 0.25
"""How much one success raises the limit: by a quarter each time all calls in flight succeeded."""

_DEFAULT_PAUSE = 0.5
"""Seconds all calls wait after a 429 without Retry-After."""

LimitScope = Literal["key", "model"]


class Priority(IntEnum):
    """Which waiting call starts first: a failed one has waited its back-off already, a throttled one its Retry-After."""

    FAILED = 0
    THROTTLED = 1
    NEW = 2


class LimitKey(NamedTuple):
    """Calls with the same key share their limits; `most` bounds how many of them are in flight at once."""

    base_url: str
    key: str
    model: str
    most: int


class Learnt(NamedTuple):
    """What is known of a model at an endpoint: the capabilities in use, and whether it has answered."""

    capabilities: Capabilities
    has_answered: bool


class Limits(Protocol):
    """The limits of one LimitKey, shared by all its calls, in this process or another one."""

    async def acquire(self, priority: Priority) -> Learnt | None:
        """Wait until a call may start; what was learnt last. Raises AccountProblem when blocked, Outage when the wait is too
        long."""

    def learn(self, learnt: Learnt) -> None:
        """Tell the others who share these limits what was learnt."""

    def release(self) -> None:
        """End a call that was started."""

    def succeeded(self) -> None:
        """A call was answered: raise the limits."""

    def throttled(self, scope: LimitScope, seconds: float | None, began: float) -> None:
        """The endpoint told a call that began then to wait so long, None without a duration: lower the limit and pause."""

    def block(self, problem: AccountProblem) -> None:
        """Raise this problem for all further calls within its scope."""


class LimitsOf(Protocol):
    """Finds the limits of a LimitKey."""

    def __call__(self, key: LimitKey) -> Limits:
        """The limits of this key."""


class RateLimiter:
    """Bounds the calls in flight with one key or model. Calls wait by priority, and within a priority in their order.

    A throttled call halves the limit, at most once for all calls in flight then, and pauses all for as long as the endpoint
    says. A success raises the limit. Once blocked, the limiter raises the problem it was given.
    """

    def __init__(self, most: int, longest_wait: float, clock: Clock) -> None:
        self._most = most
        self._limit = float(most)
        self._longest_wait = longest_wait
        self._clock = clock
        self._in_flight = 0
        self._queue: list[tuple[Priority, int, asyncio.Future[None]]] = []
        self._tickets = itertools.count()
        self._paused_until = 0.0
        self._lowered_at = -1.0
        self._problem: AccountProblem | None = None

    @property
    def limit(self) -> int:
        """How many calls may be in flight now."""
        return max(1, int(self._limit))

    @property
    def in_flight(self) -> int:
        """How many calls are in flight, or next to start after a pause."""
        return self._in_flight

    async def acquire(self, priority: Priority = Priority.NEW) -> None:
        """Wait for a slot. Raises AccountProblem when blocked, Outage when the pause is too long."""
        self._raise_if_blocked()
        place = priority, next(self._tickets)
        await self._slot(place)
        while await self._paused():
            if self._in_flight > self.limit:
                self.release()
                await self._slot(place)

    def release(self) -> None:
        """Give a slot back."""
        self._in_flight -= 1
        self._start_waiting()

    def raise_limit(self) -> None:
        """A call succeeded."""
        if self._limit < self._most:
            self._limit = min(float(self._most), self._limit + _INCREASE)
            self._start_waiting()

    def throttle(self, seconds: float | None, began: float) -> None:
        """Pause all calls for `seconds`; halve the limit if the call began after it was last lowered."""
        now = self._clock.now()
        self._paused_until = max(self._paused_until, now + (_DEFAULT_PAUSE if seconds is None else seconds))
        if began >= self._lowered_at:
            self._limit = max(1.0, min(self._limit, float(self._in_flight)) / 2)
            self._lowered_at = now

    def block(self, problem: AccountProblem) -> None:
        """Raise this problem for all further calls, until its own end if it has one."""
        self._problem = problem

    def _raise_if_blocked(self) -> None:
        problem = self._problem
        if problem is None:
            return
        if problem.until is not None and problem.until <= self._clock.today():
            self._problem = None
            return
        raise type(problem)(problem.why, problem.kind, problem.stops, problem.until)

    async def _paused(self) -> bool:
        """Wait for the end of a pause with a slot in hand; whether there was one. Gives the slot back when it raises."""
        try:
            self._raise_if_blocked()
            wait = self._paused_until - self._clock.now()
            if wait <= 0:
                return False
            if wait > self._longest_wait:
                now = self._clock.today()
                why = f"the endpoint takes calls again at {reset_time(now + wait, now)}, and a call waits at most"
                why += f" {self._longest_wait:.0f} s."
                raise Outage(why, "long_wait")
            await self._clock.sleep(wait)
            return True
        except BaseException:
            self.release()
            raise

    async def _slot(self, place: tuple[Priority, int]) -> None:
        if self._in_flight < self.limit and not self._queue:
            self._in_flight += 1
            return
        waiting = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (*place, waiting))
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self.release()
            raise

    def _start_waiting(self) -> None:
        while self._queue and self._in_flight < self.limit:
            waiting = heapq.heappop(self._queue)[2]
            if not waiting.done():
                self._in_flight += 1
                waiting.set_result(None)


class RateLimiters:
    """All rate limiters of a process: one for each model, and one for each key over all its models."""

    def __init__(self, policy: RetryPolicy | None = None, clock: Clock | None = None) -> None:
        self._policy = policy or RetryPolicy()
        self._clock = clock or Clock()
        self._of_keys: dict[tuple[str, str], RateLimiter] = {}
        self._of_models: dict[tuple[str, str, str], RateLimiter] = {}
        self._learnt: dict[LimitKey, Learnt] = {}

    def __call__(self, key: LimitKey) -> LocalLimits:
        """The two rate limiters of one LimitKey."""
        of_key = self._of_keys.setdefault(key[:2], self._limiter(KEY_MAX_IN_FLIGHT))
        return LocalLimits(self._of_models.setdefault(key[:3], self._limiter(key.most)), of_key, key, self._learnt)

    def _limiter(self, most: int) -> RateLimiter:
        return RateLimiter(most, self._policy.longest_wait, self._clock)


@dataclass(frozen=True, slots=True)
class LocalLimits:
    """Limits by two rate limiters of this process."""

    of_model: RateLimiter
    of_key: RateLimiter
    key: LimitKey
    known: dict[LimitKey, Learnt]

    async def acquire(self, priority: Priority) -> Learnt | None:
        """Wait for the model's limiter, then for the key's: calls that wait for a model hold no slot of the key."""
        await self.of_model.acquire(priority)
        try:
            await self.of_key.acquire(priority)
        except BaseException:
            self.of_model.release()
            raise
        return self.known.get(self.key)

    def learn(self, learnt: Learnt) -> None:
        """Keep it for all calls of the key."""
        self.known[self.key] = learnt

    def release(self) -> None:
        """End a call that was started."""
        self.of_key.release()
        self.of_model.release()

    def succeeded(self) -> None:
        """Raise both limits."""
        self.of_model.raise_limit()
        self.of_key.raise_limit()

    def throttled(self, scope: LimitScope, seconds: float | None, began: float) -> None:
        """Throttle the limiter of the scope."""
        (self.of_key if scope == "key" else self.of_model).throttle(seconds, began)

    def block(self, problem: AccountProblem) -> None:
        """Block the limiter of the problem's scope; a problem of one match blocks none."""
        if problem.stops != "match":
            (self.of_key if problem.stops == "key" else self.of_model).block(problem)
