"""Confidence sequence: an interval for the mean of bounded values that holds at every time of looking, by betting.

Waudby-Smith and Ramdas (arXiv 2010.09686), hedged capital process with predictable plug-in bets: against each candidate mean
one bets that values lie above it, and one that they lie below. Neither gains in the long run against the true mean, so a
candidate whose bets have multiplied is excluded for good.
"""

import math
from collections.abc import Iterable

_CAP = 0.9
"""The part of the capital that one value can cost: below 1, so that no value ends a bet."""

_EARLIEST = 300.0
"""Bets on early values are no larger than suit this many: they would cost too much where values are far apart."""

_STEPS = 1 << 13
"""Candidates in the range of values. Bounds are rounded outwards to one of them."""


class ConfidenceSequence:
    """The interval for the mean of independent values from `lowest` to `highest`. With a probability of at least
    `1 - error_rate` it contains the mean after every observation, however long one looks; it never widens."""

    def __init__(self, lowest: float = -1.0, highest: float = 1.0, error_rate: float = 0.05) -> None:
        if not (lowest < highest and 0 < error_rate < 1):
            raise ValueError(f"no interval from {lowest} to {highest} at an error rate of {error_rate}")
        self._lowest, self._width, self.error_rate = lowest, highest - lowest, error_rate
        self._evidence = math.log(2 / error_rate)
        self._above, self._below = _Bets(self._evidence), _Bets(self._evidence)
        self._sum = self._squares = 0.0
        self.count = 0

    def observe(self, value: float) -> None:
        """Take one more value. ValueError when it is outside the range."""
        scaled = (value - self._lowest) / self._width
        if not -1e-9 <= scaled <= 1 + 1e-9:
            raise ValueError(f"{value} is not between {self._lowest} and {self._lowest + self._width}")
        scaled, stake = min(1.0, max(0.0, scaled)), self._stake()
        self._above.take(scaled, stake)
        self._below.take(1 - scaled, stake)
        self.count += 1
        self._sum += scaled
        self._squares += (scaled - (0.5 + self._sum) / (self.count + 1)) ** 2

    def observe_all(self, values: Iterable[float]) -> None:
        for value in values:
            self.observe(value)

    def _stake(self) -> float:
        """The bet on the next value, from the spread of those before it."""
        following = self.count + 1
        spread = (0.25 + self._squares) / following
        return math.sqrt(2 * self._evidence / (spread * max(_EARLIEST, following * math.log(1 + following))))

    @property
    def mean(self) -> float:
        """The mean of the values so far; without one, the middle of the range. It may lie outside the interval."""
        return self._lowest + self._width * (self._sum / self.count if self.count else 0.5)

    @property
    def low(self) -> float:
        return self._lowest + self._width * self._above.bound

    @property
    def high(self) -> float:
        """The upper end; the same as `low` when every candidate has been excluded, which the error rate bounds."""
        return max(self.low, self._lowest + self._width * (1 - self._below.bound))

    @property
    def sure(self) -> bool:
        """Whether the interval excludes 0."""
        return not self.low <= 0 <= self.high

    def within(self, margin: float) -> bool:
        """Whether the mean is surely nearer to 0 than `margin`."""
        return -margin < self.low and self.high < margin


class _Bets:
    """The bets that values from 0 to 1 lie above each candidate. Their capital falls as the candidate rises, so that one
    candidate, the lowest that is not excluded, says all; another's capital is counted again from the history."""

    def __init__(self, evidence: float) -> None:
        self._evidence, self._history = evidence, list[tuple[float, float]]()
        self._place, self._capital = 0, 0.0

    @property
    def bound(self) -> float:
        """The highest candidate that is excluded; 0 when none is."""
        return max(0, self._place - 1) / _STEPS

    def take(self, value: float, stake: float) -> None:
        self._history.append((value, stake))
        mean = self._place / _STEPS
        self._capital += math.log1p((min(stake, _CAP / mean) if mean else stake) * (value - mean))
        if self._capital >= self._evidence and self._place < _STEPS:
            self._move()

    def _move(self) -> None:
        """Go to the lowest candidate that is not excluded: first in growing steps, then by halves."""
        known, step = self._place, 1
        while (place := min(_STEPS, known + step)) < _STEPS and self._capital_at(place) >= self._evidence:
            known, step = place, 2 * step
        while place - known > 1:
            middle = (known + place) // 2
            if self._capital_at(middle) >= self._evidence:
                known = middle
            else:
                place = middle
        self._place, self._capital = place, self._capital_at(place)

    def _capital_at(self, place: int) -> float:
        """The logarithm of the capital of the bets against a candidate."""
        mean = place / _STEPS
        most = _CAP / mean
        found = math.prod([1 + (stake if stake < most else most) * (value - mean) for value, stake in self._history])
        return math.log(found) if found else -math.inf
