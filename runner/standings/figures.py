"""Figures: a value with the standard error that its jackknife over blocks of deals gives, and its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from runner.standings.deal_blocks import FEWEST_FREE
from runner.standings.distributions import t_quantile


class Interval(NamedTuple):
    """The bounds of a figure at 95 percent."""

    low: float
    high: float


class Figure(NamedTuple):
    """A value and its interval; None with too few deals for one."""

    value: float
    interval: Interval | None


def figure(value: float, error: float, free: int) -> Figure:
    """A value with Student's interval."""
    if free < FEWEST_FREE:
        return Figure(value, None)
    reach = t_quantile(0.975, free) * error
    return Figure(value, Interval(value - reach, value + reach))


def share(value: float, error: float, free: int) -> Figure:
    """A share with Student's interval for its log odds, so that its bounds are between 0 and 1."""
    if free < FEWEST_FREE or not 0 < value < 1:
        return Figure(value, Interval(value, value) if free >= FEWEST_FREE else None)
    middle, reach = math.log(value / (1 - value)), t_quantile(0.975, free) * error / (value * (1 - value))
    return Figure(value, Interval(_from_odds(middle - reach), _from_odds(middle + reach)))


def _from_odds(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def jackknife_error(
    parts: Sequence[Sequence[float]], weights: Sequence[float], statistic: Callable[[Sequence[float]], float]
) -> float:
    """The error of a statistic of sums, from its values without each block. `parts` are what each block adds to the sums."""
    sums = [sum(column) for column in zip(*parts, strict=True)]
    whole = statistic(sums)
    rests = ([total - own for total, own in zip(sums, part, strict=True)] for part in parts)
    return math.sqrt(sum(weight * (statistic(rest) - whole) ** 2 for rest, weight in zip(rests, weights, strict=True)))


def ratio_error(above: Sequence[float], below: Sequence[float], weights: Sequence[float]) -> float:
    """The error of one sum divided by another; the parts are those of the blocks."""
    return jackknife_error(list(zip(above, below, strict=True)), weights, lambda sums: sums[0] / sums[1] if sums[1] else 0.0)


def effective_free(parts: Sequence[float], most: int) -> int:
    """Degrees of freedom for a figure whose data are spread over blocks like this: the number of equally large blocks that
    would count as much, less one (A. V. Carter, K. T. Schnepel and D. G. Steigerwald, Asymptotic Behavior of a t-Test Robust
    to Cluster Heterogeneity, Review of Economics and Statistics 99, 2017), at most `most`."""
    squares = sum(part * part for part in parts)
    return max(0, min(most, int(sum(parts) ** 2 / squares + 1e-9) - 1)) if squares else 0
