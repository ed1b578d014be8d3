"""When a failed attempt is repeated, and after how long: the one retry policy."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from runner.llm.clock import Clock
from runner.llm.outcome import Infrastructure

T = TypeVar("T")

_GROWTH = 1.25
"""A back-off is so many times the last one, where that took long at the gate."""

_SLOW = {"timeout", "blank_body", "streamed"}
_THROTTLED = {"throttled", "in_flight_budget"}
_FILTERED = {"input_moderated", "input_guardrail"}


def is_throttled(kind: str) -> bool:
    """Whether this kind of failure is a quota's, which says nothing about the endpoint's health."""
    return kind in _THROTTLED


@dataclass(frozen=True, slots=True)
class Policy:
    """How patient a call is: attempts by what went wrong, waits in seconds.

    `slow_attempts` bounds those that take a whole time limit and may be charged for (catalogue row 4),
    `filtered_attempts` those a filter refuses (25, 26), `pinned_attempts` replies by another model (47),
    `throttled_attempts` those turned away by a quota, `connection_attempts` those that found no server at all. A
    Retry-After beyond `longest_wait` is not waited for.
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
        """After how many failures of this kind a call gives up."""
        if kind in _SLOW:
            return self.slow_attempts
        if kind in _FILTERED:
            return self.filtered_attempts
        if kind == "other_model":
            return self.pinned_attempts
        if kind == "no_connection":
            return self.connection_attempts
        return self.throttled_attempts if kind in _THROTTLED else self.attempts

    def gives_up(self, failures: Counter[str], last: Infrastructure) -> bool:
        """Whether a call that failed so often, by kind, is not repeated any more."""
        others = sum(count for kind, count in failures.items() if kind not in _THROTTLED)
        exhausted = failures[last.kind] >= self.most(last.kind) or others >= self.attempts
        return exhausted or (last.retry_after or 0.0) > self.longest_wait

    def wait(self, failures: int, retry_after: float | None, jitter: float) -> float:
        """Seconds until the next attempt: exponential with `jitter` in [0, 1), and never less than Retry-After."""
        backoff = min(self.longest_backoff, self.first_backoff * 2.0 ** min(failures - 1, 16)) * (0.5 + jitter / 2)
        if retry_after is None:
            return backoff
        return retry_after + min(backoff, self.first_backoff) * jitter


class Again(Exception):
    """Raised by an attempt that is to be repeated; `failure` is None when only the request had to be adapted."""

    def __init__(self, failure: Infrastructure | None) -> None:
        super().__init__(failure.kind if failure else "adapted")
        self.failure = failure


@dataclass(slots=True)
class Patience:
    """How much of the policy's patience one call has used up."""

    policy: Policy
    clock: Clock
    random: random.Random
    failures: Counter[str] = field(default_factory=Counter)
    _backing_off_since: float | None = None
    _last_gap: float = 0.0

    async def call(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Repeats the attempt while it raises Again. The attempt itself says when it is enough, by raising anything else."""
        retrying = AsyncRetrying(
            retry=_RETRY, wait=self._wait, sleep=self.clock.sleep, stop=_never, before=_nothing, after=_nothing, reraise=True
        )
        return await retrying(attempt)

    def fail(self, failure: Infrastructure) -> bool:
        """Counts a failure; True when the call is not to be repeated."""
        self.failures[failure.kind] += 1
        return self.policy.gives_up(self.failures, failure)

    def begin(self) -> None:
        """Notes that an attempt is sent now: how long it really took since the failure before, gate and all."""
        if self._backing_off_since is not None:
            self._last_gap = self.clock.now() - self._backing_off_since
            self._backing_off_since = None

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        failure = error.failure if isinstance(error, Again) else None
        if failure is None:
            return 0.0
        wait = self.policy.wait(self.failures.total(), failure.retry_after, self.random.random())
        if failure.retry_after is not None:
            return wait
        self._backing_off_since = self.clock.now()
        return max(wait, min(self._last_gap * _GROWTH, self.policy.longest_backoff))


_RETRY = retry_if_exception_type(Again)


def _never(state: RetryCallState) -> bool:
    return False


def _nothing(state: RetryCallState) -> None:
    return None
