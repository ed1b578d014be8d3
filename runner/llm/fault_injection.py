"""Fault injection: which failures of real endpoints the offline server shows, and in which order."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

FAULTS = ("rate_limit", "server_error", "bad_gateway", "drip", "cut", "broken_json", "slow", "html")
"""429 with Retry-After, 500, a 502 inside a 200, endless blanks, a cut connection, half a body, a late answer, a web page."""

FINE = "fine"
"""In a script: no fault."""


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults: those of `script` first, one for each request, then `kinds` evenly at `rate` (0 to 1).

    `retry_after` is the wait of a rate limit and `slowness` the delay of a slow answer, in seconds. `script_repeats`
    repeats the script for ever.
    """

    rate: float = 0.0
    kinds: tuple[str, ...] = FAULTS
    script: tuple[str, ...] = ()
    script_repeats: bool = False
    retry_after: float = 1.0
    slowness: float = 30.0

    def __post_init__(self) -> None:
        unknown = sorted({*self.kinds, *self.script} - {*FAULTS, FINE})
        if unknown:
            raise ValueError(f'there is no fault "{unknown[0]}"; there are {", ".join((*FAULTS, FINE))}')
        if not 0 <= self.rate <= 1:
            raise ValueError(f"the rate of faults has to be from 0 to 1, not {self.rate:g}")

    def sequence(self, seed: int) -> Iterator[str]:
        """The fault of each request in turn, for ever."""
        chance = random.Random(seed)
        while True:
            yield from self.script
            if not (self.script_repeats and self.script):
                break
        while True:
            yield chance.choice(self.kinds) if self.kinds and chance.random() < self.rate else FINE


@dataclass(frozen=True, slots=True)
class Quota:
    """A quota of requests in a sliding window of seconds. One more gets a 429 that says how long to wait."""

    requests: int
    seconds: float


@dataclass(slots=True)
class Meter:
    """Measures requests against a quota."""

    quota: Quota | None
    _times: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float | None:
        """Count a request at `now`, in seconds: None within the quota, else the seconds until the next one is allowed."""
        if self.quota is None:
            return None
        while self._times and self._times[0] <= now - self.quota.seconds:
            self._times.popleft()
        if len(self._times) < self.quota.requests:
            self._times.append(now)
            return None
        return self._times[0] + self.quota.seconds - now
