"""Rate limiter: how many calls to a model, and with a key, are in flight at once, and when the next one may start."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum

from runner.llm.budget import FREE, Prices
from runner.llm.model_list import ModelEntry
from runner.llm.outcome import AccountProblem, Delivered, Infrastructure, ModelMistake, Outage, Outcome
from runner.llm.request import UNRESTRICTED, AnswerForm, Capabilities, Model

_YEAR = 366 * 86_400.0
_UNITS = ((_YEAR, 86_400.0, "d"), (86_400.0, 3600.0, "h"), (3600.0, 60.0, "min"))

LONGEST_WAIT = 600.0
"""Seconds that a call waits at most for an endpoint that says how long."""

KEY_MAX_IN_FLIGHT = 1000
"""Calls in flight at once with one key, over all its models: as many as the client keeps connections."""

_INCREASE = 0.25
"""How much one success raises the limit: by a quarter each time all calls in flight succeeded."""

_DEFAULT_PAUSE = 0.5
"""Seconds all calls wait after a 429 without Retry-After, or with one of 0."""

_MOST_CHANGES = 32
"""Changes of capabilities before an endpoint counts as unusable: more than the general rule and each part of a request take."""


@dataclass(frozen=True, slots=True)
class Clock:
    """`now` is monotonic, `today` is the time of day since the epoch; both in seconds."""

    now: Callable[[], float] = time.monotonic
    today: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


def reset_time(until: float, now: float) -> str:
    """A moment (epoch seconds) as `2026-11-23 01:00 CET, in 6 h 12 min`; "" for one in over a year, which nobody awaits."""
    if until - now > _YEAR:
        return ""
    seconds = max(until - now, 0.0)
    counts = [(int(seconds % whole // size), unit) for whole, size, unit in _UNITS]
    left = " ".join([f"{count} {unit}" for count, unit in counts if count][:2]) or f"{max(seconds, 1.0):.0f} s"
    return f"{datetime.fromtimestamp(until).astimezone():%Y-%m-%d %H:%M %Z}, in {left}"


class Priority(IntEnum):
    """Which waiting call starts first: a failed one has waited its back-off already, a throttled one its Retry-After."""

    FAILED = 0
    THROTTLED = 1
    NEW = 2


class RateLimiter:
    """Bounds the calls in flight with one key or model. Calls wait by priority, and within a priority in their order. A
    throttled call halves the limit, at most once for all calls in flight then. All calls fail with `problem` until it ends."""

    def __init__(self, most: int, longest_wait: float, clock: Clock) -> None:
        self._most = most
        self._limit = float(most)
        self._longest_wait = longest_wait
        self._clock = clock
        self.in_flight = 0
        self._queue: list[tuple[Priority, int, asyncio.Future[None]]] = []
        self._tickets = itertools.count()
        self._paused_until = 0.0
        self._lowered_at = -1.0
        self.problem: AccountProblem | None = None

    @property
    def limit(self) -> int:
        return max(1, int(self._limit))

    async def acquire(self, priority: Priority = Priority.NEW) -> None:
        """Wait for a slot. Raises AccountProblem when blocked, Outage when the pause is too long."""
        self._raise_if_blocked()
        place = priority, next(self._tickets)
        await self._slot(place)
        while await self._paused():
            if self.in_flight > self.limit:
                self.release()
                await self._slot(place)

    def release(self) -> None:
        self.in_flight -= 1
        self._start_waiting()

    def raise_limit(self) -> None:
        """A call succeeded."""
        if self._limit < self._most:
            self._limit = min(float(self._most), self._limit + _INCREASE)
            self._start_waiting()

    def throttle(self, seconds: float | None, began: float) -> None:
        """Pause all calls for `seconds`; halve the limit if the call began after it was last lowered."""
        now = self._clock.now()
        self._paused_until = max(self._paused_until, now + (seconds or _DEFAULT_PAUSE))
        if began >= self._lowered_at:
            self._limit = max(1.0, min(self._limit, float(self.in_flight)) / 2)
            self._lowered_at = now

    def _raise_if_blocked(self) -> None:
        if (problem := self.problem) is not None:
            if problem.until is None or problem.until > self._clock.today():
                raise type(problem)(problem.why, problem.kind, problem.stops, problem.until)
            self.problem = None

    async def _paused(self) -> bool:
        """Wait for the end of a pause with a slot in hand; whether there was one. Gives the slot back when it raises."""
        try:
            self._raise_if_blocked()
            wait = self._paused_until - self._clock.now()
            if wait <= 0:
                return False
            if wait > self._longest_wait:
                now = self._clock.today()
                at = reset_time(now + wait, now)
                why = f"the endpoint takes calls again at {at}" if at else "the endpoint does not say when it takes calls again"
                why += f", and a call waits at most {self._longest_wait:.0f} s."
                raise Outage(why, "long_wait")
            await self._clock.sleep(wait)
            return True
        except BaseException:
            self.release()
            raise

    async def _slot(self, place: tuple[Priority, int]) -> None:
        if self.in_flight < self.limit and not self._queue:
            self.in_flight += 1
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
        while self._queue and self.in_flight < self.limit:
            waiting = heapq.heappop(self._queue)[2]
            if not waiting.done():
                self.in_flight += 1
                waiting.set_result(None)


@dataclass(slots=True)
class SharedEndpoint:
    """A model at an endpoint, shared by all calls to it: its limits, and what is known of it."""

    of_model: RateLimiter
    of_key: RateLimiter
    capabilities: Capabilities = UNRESTRICTED
    form: AnswerForm | None = None
    entry: ModelEntry | None = None
    changes: int = 0
    has_answered: bool = False
    is_free: bool = False

    def prices(self, model: Model) -> Prices | None:
        """The prices set for the model, else those its endpoint lists, else none for a model that counts as free."""
        return model.prices or (self.entry.prices if self.entry else None) or (FREE if self.is_free else None)

    async def acquire(self, priority: Priority) -> None:
        """Wait for the model's limiter, then for the key's: calls that wait for a model hold no slot of the key."""
        await self.of_model.acquire(priority)
        try:
            await self.of_key.acquire(priority)
        except BaseException:
            self.of_model.release()
            raise

    def release(self) -> None:
        self.of_key.release()
        self.of_model.release()

    def note(self, outcome: Outcome, began: float, is_label: bool = False) -> None:
        """Adjust the limits to the outcome of a call that began then. A label does not show how questions are taken."""
        match outcome:
            case Delivered() | ModelMistake():
                self.has_answered |= not is_label
                self.of_model.raise_limit()
                self.of_key.raise_limit()
            case Infrastructure(holds="key"):
                self.of_key.throttle(outcome.retry_after, began)
            case Infrastructure(holds="model"):
                self.of_model.throttle(outcome.retry_after, began)

    def block(self, problem: AccountProblem) -> None:
        """Raise this problem for all further calls within its scope; a problem of one match blocks none."""
        if problem.stops != "match":
            (self.of_key if problem.stops == "key" else self.of_model).problem = problem

    def learn(self, capabilities: Capabilities) -> bool:
        """Take up new capabilities; False when they have changed too often."""
        self.changes += 1
        if self.changes > _MOST_CHANGES:
            return False
        self.capabilities = capabilities
        return True

    def recall(self, capabilities: Capabilities | None, is_settled: bool, has_reasoned: bool) -> None:
        """Take up what an earlier session learnt, unless this one has learnt or heard something itself, or the model has
        answered (`is_settled`) and may not be asked in another way."""
        has_reasoned |= self.capabilities.reasons
        if not (self.changes or self.has_answered):
            self.capabilities = capabilities or self.capabilities
            self.has_answered = is_settled
        if has_reasoned and not self.capabilities.reasons:
            self.capabilities = replace(self.capabilities, reasons=True)


class RateLimiters:
    """All lines of a process. A limiter bounds the calls to each model, another those with a key over all its models."""

    def __init__(self, longest_wait: float = LONGEST_WAIT, clock: Clock | None = None) -> None:
        self._longest_wait = longest_wait
        self._clock = clock or Clock()
        self._of_keys: dict[tuple[str, str], RateLimiter] = {}
        self._lines: dict[tuple[str, str, str], SharedEndpoint] = {}

    def __call__(self, model: Model) -> SharedEndpoint:
        key = model.base_url, model.key
        if (line := self._lines.get((*key, model.name))) is None:
            of_key = self._of_keys.setdefault(key, self._limiter(KEY_MAX_IN_FLIGHT))
            line = self._lines[*key, model.name] = SharedEndpoint(self._limiter(model.max_in_flight), of_key)
        return line

    def _limiter(self, most: int) -> RateLimiter:
        return RateLimiter(most, self._longest_wait, self._clock)
