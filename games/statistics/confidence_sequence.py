"""Confidence sequence: an interval for the mean of bounded values that holds at every time of looking, by betting.

Waudby-Smith and Ramdas (arXiv 2010.09686), hedged capital process with predictable bets: against each candidate mean one bets
that values lie above it, and one that they lie below. Neither gains in the long run against the true mean, so a candidate
whose bets have multiplied is excluded for good. The capital of each is divided among bets of several sizes, each the best one
for some number of values, so that a large difference is sure soon and a small one not much later than by a fixed plan.
"""

import math
from collections.abc import Iterable, Sequence

_CAP = 0.9
"""The part of the capital that one value can cost: below 1, so that no value ends a bet."""

_LENGTHS = (100, 500, 2_500)
"""The numbers of values that the bets suit; the last one grows with the values, so that intervals close in for ever."""

Stakes = tuple[float, ...]
"""A bet of each size on one value, as factors of how far it lies from a candidate."""

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
        scaled, stakes = min(1.0, max(0.0, scaled)), self._stakes()
        self._above.take(scaled, stakes)
        self._below.take(1 - scaled, stakes)
        self.count += 1
        self._sum += scaled
        self._squares += (scaled - (0.5 + self._sum) / (self.count + 1)) ** 2

    def observe_all(self, values: Iterable[float]) -> None:
        for value in values:
            self.observe(value)

    def _stakes(self) -> Stakes:
        """The bets on the next value, from the spread of those before it."""
        following = self.count + 1
        unit = 2 * self._evidence * following / (0.25 + self._squares)
        *lengths, longest = _LENGTHS
        return tuple([math.sqrt(unit / length) for length in (*lengths, max(longest, following))])

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
        self._evidence, self._values, self._stakes = evidence, list[float](), [list[float]() for _ in _LENGTHS]
        self._place, self._capitals = 0, [0.0] * len(_LENGTHS)

    @property
    def bound(self) -> float:
        """The highest candidate that is excluded; 0 when none is."""
        return max(0, self._place - 1) / _STEPS

    def take(self, value: float, stakes: Stakes) -> None:
        self._values.append(value)
        for made, stake in zip(self._stakes, stakes, strict=True):
            made.append(stake)
        mean = self._place / _STEPS
        most, apart = _CAP / mean if mean else math.inf, value - mean
        self._capitals = [
            capital + math.log1p(min(stake, most) * apart) for capital, stake in zip(self._capitals, stakes, strict=True)
        ]
        if self._place < _STEPS and self._excludes(self._capitals):
            self._move()

    def _excludes(self, capitals: Sequence[float]) -> bool:
        """Whether capitals, given by their logarithms, are on average the evidence that it takes."""
        largest = max(capitals)
        mean = sum([math.exp(capital - largest) for capital in capitals]) / len(capitals) if largest > -math.inf else 0.0
        return mean > 0 and largest + math.log(mean) >= self._evidence

    def _move(self) -> None:
        """Go to the lowest candidate that is not excluded: first in growing steps, then by halves."""
        known, step = self._place, 1
        while (place := min(_STEPS, known + step)) < _STEPS and self._excludes(self._capitals_at(place)):
            known, step = place, 2 * step
        while place - known > 1:
            middle = (known + place) // 2
            if self._excludes(self._capitals_at(middle)):
                known = middle
            else:
                place = middle
        self._place, self._capitals = place, self._capitals_at(place)

    def _capitals_at(self, place: int) -> list[float]:
        """The logarithm of the capital of each bet against a candidate."""
        mean = place / _STEPS
        most = _CAP / mean
        apart = [value - mean for value in self._values]
        products = [
            math.prod([1 + (stake if stake < most else most) * far for stake, far in zip(made, apart, strict=True)])
            for made in self._stakes
        ]
        return [math.log(found) if found else -math.inf for found in products]
