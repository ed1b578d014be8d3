"""Retry policy: when and after how long a failed attempt is repeated."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from runner.llm.clock import Clock
from runner.llm.outcome import Infrastructure

T = TypeVar("T")

_GROWTH = 1.5
"""Growth of the back-off over the time between the last two attempts, where the rate limiter made that long."""

_SLOW = {"timeout", "blank_body", "streamed"}
_THROTTLED = {"throttled", "in_flight_budget"}
_FILTERED = {"input_moderated", "input_guardrail"}
_PINNED = {"other_model", "bad_request"}


def is_throttled(kind: str) -> bool:
    """Whether a failure of this kind is a rate limit, which says nothing about the endpoint's health."""
    return kind in _THROTTLED


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Attempts by kind of failure, and waits in seconds.

    `slow_attempts` bounds failures that take a whole time limit and may be billed, `filtered_attempts` those a content filter
    causes, `pinned_attempts` replies by another model and requests refused without a reason, `throttled_attempts` rate limits,
    `connection_attempts` failures to connect. A Retry-After above `longest_wait` is not waited for.
    """

    attempts: int = 8
    slow_attempts: int = 3
    filtered_attempts: int = 2
    pinned_attempts: int = 2
    throttled_attempts: int = 40
    connection_attempts: int = 5
    first_backoff: float = 0.5
    longest_backoff: float = 30.0
    longest_wait: float = 600.0

    def most(self, kind: str) -> int:
        """The number of failures of this kind that end a call."""
        if kind in _SLOW:
            return self.slow_attempts
        if kind in _FILTERED:
            return self.filtered_attempts
        if kind in _PINNED:
            return self.pinned_attempts
        if kind == "no_connection":
            return self.connection_attempts
        return self.throttled_attempts if kind in _THROTTLED else self.attempts

    def within(self, attempts: int) -> RetryPolicy:
        """The policy for calls with a bound on attempts, rate limits included."""
        return replace(self, attempts=attempts, throttled_attempts=attempts)

    def gives_up(self, failures: Counter[str], last: Infrastructure) -> bool:
        """Whether a call ends after these failures, counted by kind."""
        others = sum(count for kind, count in failures.items() if kind not in _THROTTLED)
        exhausted = failures[last.kind] >= self.most(last.kind) or others >= self.attempts
        return exhausted or (last.retry_after or 0.0) > self.longest_wait

    def wait(self, failures: int, retry_after: float | None, jitter: float) -> float:
        """Seconds until the next attempt: exponential with `jitter` in [0, 1), and never less than Retry-After."""
        backoff = min(self.longest_backoff, self.first_backoff * 2.0 ** min(failures - 1, 16)) * (0.5 + jitter / 2)
        if retry_after is None:
            return backoff
        return retry_after + min(backoff, self.first_backoff) * jitter


class TryAgain(Exception):
    """Raised by an attempt that is to be repeated; `failure` is None when only the request had to change."""

    def __init__(self, failure: Infrastructure | None) -> None:
        super().__init__(failure.kind if failure else "adapted")
        self.failure = failure


@dataclass(slots=True)
class Retries:
    """The retries of one call under a policy."""

    policy: RetryPolicy
    clock: Clock
    random: random.Random
    failures: Counter[str] = field(default_factory=Counter)
    _backing_off_since: float | None = None
    _last_gap: float = 0.0

    async def run(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Repeat the attempt while it raises TryAgain. Any other error it raises ends the call.

        Most calls need one attempt: the others begin with the failure of the first.
        """
        try:
            return await attempt()
        except TryAgain as failure:
            failures = [failure]

        async def next_attempt() -> T:
            if failures:
                raise failures.pop()
            return await attempt()

        retrying = AsyncRetrying(
            retry=_RETRY, wait=self._wait, sleep=self.clock.sleep, stop=_never, before=_nothing, after=_nothing, reraise=True
        )
        return await retrying(next_attempt)

    def fail(self, failure: Infrastructure) -> bool:
        """Count a failure; True when the call ends."""
        self.failures[failure.kind] += 1
        return self.policy.gives_up(self.failures, failure)

    def begin(self) -> None:
        """Note that an attempt starts now: the real time since the last failure, including the rate limiter's wait."""
        if self._backing_off_since is not None:
            self._last_gap = self.clock.now() - self._backing_off_since
            self._backing_off_since = None

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        failure = error.failure if isinstance(error, TryAgain) else None
        if failure is None:
            return 0.0
        wait = self.policy.wait(self.failures.total(), failure.retry_after, self.random.random())
        if failure.retry_after is not None:
            return wait
        self._backing_off_since = self.clock.now()
        return max(wait, min(self._last_gap * _GROWTH, self.policy.longest_backoff))


_RETRY = retry_if_exception_type(TryAgain)


def _never(state: RetryCallState) -> bool:
    return False


def _nothing(state: RetryCallState) -> None:
    return None
