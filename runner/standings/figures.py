"""Figures: a value with the standard error that its jackknife over blocks of deals gives, and its interval."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from statistics import NormalDist
from typing import NamedTuple, Self

from runner.standings.deal_counts import (
    FEWEST_FREE,
    Counts,
    DealBlock,
    DealSums,
    Key,
    PlacingStage,
    deal_blocks,
    free_of,
    summed,
)
from runner.standings.document_types import FigureData

NORMAL = NormalDist()


@cache
def t_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t distribution, by bisection of its distribution function."""
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    low, high = 0.0, 1.0
    while 1 - t_tail(high, freedom) < probability:
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - t_tail(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def t_tail(value: float, freedom: int) -> float:
    """The probability that Student's t exceeds a value of 0 or more (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan2(value, math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for factor in range(3 if odd else 2, freedom - 1, 2):
        term *= cosine * cosine * (factor - 1) / factor
        total += term
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return max(0.0, (1 - within) / 2)


def figure(value: float, error: float, free: int) -> FigureData:
    """A value with Student's interval; without one where there are too few deals for it."""
    reach = t_quantile(0.975, free) * error if free >= FEWEST_FREE else None
    return {"value": value, "low": None, "high": None} if reach is None else bounded(value, value - reach, value + reach)


def share(value: float, error: float, free: int) -> FigureData:
    """A share with Student's interval for its log odds, so that its bounds are between 0 and 1."""
    if free < FEWEST_FREE or not 0 < value < 1:
        return figure(value, 0.0, free)
    middle, reach = math.log(value / (1 - value)), t_quantile(0.975, free) * error / (value * (1 - value))
    return bounded(value, _from_odds(middle - reach), _from_odds(middle + reach))


def bounded(value: float, low: float, high: float) -> FigureData:
    """A value and its interval; without one where that has no bounds."""
    is_finite = math.isfinite(low) and math.isfinite(high)
    return {"value": value, "low": low if is_finite else None, "high": high if is_finite else None}


def _from_odds(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def without_each(parts: Sequence[Sequence[float]]) -> Iterator[list[float]]:
    """The sums of the columns without each row."""
    whole = summed(parts)
    return ([total - own for total, own in zip(whole, part, strict=True)] for part in parts)


def jackknife_error(
    parts: Sequence[Sequence[float]], weights: Sequence[float], statistic: Callable[[Sequence[float]], float]
) -> float:
    """The error of a statistic of sums, from its values without each block. `parts` are what each block adds to the sums."""
    whole, rests = statistic(summed(parts)), map(statistic, without_each(parts))
    return math.sqrt(sum(weight * (rest - whole) ** 2 for rest, weight in zip(rests, weights, strict=True)))


def ratio_error(above: Sequence[float], below: Sequence[float], weights: Sequence[float]) -> float:
    """The error of one sum divided by another; the parts are those of the blocks."""
    return jackknife_error(list(zip(above, below, strict=True)), weights, lambda sums: sums[0] / sums[1] if sums[1] else 0.0)


def effective_free(parts: Sequence[float], most: int) -> int:
    """Degrees of freedom for a figure whose data are spread over blocks like this: the number of equally large blocks that
    would count as much, less one (A. V. Carter, K. T. Schnepel and D. G. Steigerwald, Asymptotic Behavior of a t-Test Robust
    to Cluster Heterogeneity, Review of Economics and Statistics 99, 2017), at most `most`."""
    squares = sum(part * part for part in parts)
    return max(0, min(most, int(sum(parts) ** 2 / squares + 1e-9) - 1)) if squares else 0


class Results(NamedTuple):
    """The results of an agent or of a seat: wins and score per match, and the degrees of freedom of figures about it."""

    matches: int
    win_share: FigureData
    mean_score: FigureData
    free: int


class DealSample(NamedTuple):
    """The choices of each block of deals with its weight in a jackknife's variance, all of them, and the degrees of freedom."""

    counts: Counts
    blocks: list[DealBlock]
    parts: list[Counter[PlacingStage]]
    weights: list[float]
    whole: Counter[PlacingStage]
    free: int

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """The blocks of all deals."""
        blocks = deal_blocks(counts.deals)
        parts = [_all(counts.deals[deal] for deal in block.deals) for block in blocks]
        return cls(counts, blocks, parts, [block.weight for block in blocks], _all(parts), free_of(blocks))

    @property
    def has_errors(self) -> bool:
        """Whether there are deals enough for errors."""
        return self.free >= FEWEST_FREE

    def results(self, of: DealSums[Key], key: Key) -> Results:
        """The results of an agent or of a seat, from the sums of all."""
        matches, wins, scores = zip(*of.parts(key, self.blocks), strict=True)
        free, number = effective_free(matches, self.free), round(sum(matches))
        return Results(number, share(*self._ratio(wins, matches), free), figure(*self._ratio(scores, matches), free), free)

    def _ratio(self, above: Sequence[float], below: Sequence[float]) -> tuple[float, float]:
        number = sum(below)
        return (sum(above) / number, ratio_error(above, below, self.weights)) if number else (0.0, 0.0)


def _all(parts: Iterable[Counter[PlacingStage]]) -> Counter[PlacingStage]:
    whole = Counter[PlacingStage]()
    for part in parts:
        whole.update(part)
    return whole
