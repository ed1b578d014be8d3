"""Figures: a value with its 95 % interval: Student's for a mean, an exact one for a share, and that of two shares' difference.

Errors are those of a jackknife over deals. No interval has a width of zero: values that are all alike show no certainty.
"""

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

from games.statistics.document_types import FigureData

NORMAL = NormalDist()

FEWEST_FREE = 4
"""With fewer degrees of freedom there is no interval."""

_TAIL = 0.025

_NOTHING = 1e-12
_ALIKE = 1e-9
"""Values that are all alike differ by a smaller part, since they are rounded."""


def beta_below(value: float, first: float, second: float) -> float:
    """The distribution function of the beta distribution, by a continued fraction (DLMF, formula 8.17.22)."""
    if not 0 < value < 1:
        return float(value >= 1)
    total = first + second
    if value > (first + 1) / (total + 2):
        return 1 - beta_below(1 - value, second, first)
    scale = math.lgamma(total) - math.lgamma(first) - math.lgamma(second)
    before = 1.0
    found = after = 1 / (1 - total * value / (first + 1))
    step, change = 0, 0.0
    while abs(change - 1) > _NOTHING:
        step, place = step + 1, first + 2 * step + 2
        change = 1.0
        for part in (
            step * (second - step) / ((place - 1) * place),
            -(first + step) * (total + step) / (place * (place + 1)),
        ):
            after, before = 1 / (1 + part * value * after), 1 + part * value / before
            change *= before * after
        found *= change
    return math.exp(scale + first * math.log(value) + second * math.log1p(-value)) / first * found


def _where(rising: Callable[[float], float], level: float, steps: int = 32) -> float:
    """The place between 0 and 1 at which a function reaches a level."""
    low, high = 0.0, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < level else (low, middle)
    return (low + high) / 2


def t_tail(value: float, free: int) -> float:
    """The probability that Student's t exceeds a value of 0 or more."""
    return beta_below(free / (free + value * value), free / 2, 0.5) / 2


@cache
def t_quantile(probability: float, free: int) -> float:
    """The quantile of Student's t distribution."""
    if probability < 0.5:
        return -t_quantile(1 - probability, free)
    within = _where(lambda place: beta_below(place, free / 2, 0.5), 2 * (1 - probability), 60)
    return math.sqrt(free * (1 / within - 1))


def bounded(value: float, low: float = math.nan, high: float = math.nan) -> FigureData:
    """A value and its interval; without one where that has no bounds."""
    is_finite = math.isfinite(low) and math.isfinite(high)
    return {"value": value, "low": low if is_finite else None, "high": high if is_finite else None}


def student(value: float, error: float, free: int) -> FigureData:
    """A value with Student's interval; without one on too few deals, and where nothing varies between them."""
    if free < FEWEST_FREE or error <= _NOTHING + _ALIKE * abs(value):
        return bounded(value)
    reach = t_quantile(1 - _TAIL, free) * error
    return bounded(value, value - reach, value + reach)


def odds(value: float, error: float, free: int) -> FigureData:
    """A probability with Student's interval for its log odds; without one at 0 and at 1, too."""
    if free < FEWEST_FREE or not 0 < value < 1 or not _NOTHING < error < math.inf:
        return bounded(value)
    middle, reach = math.log(value / (1 - value)), t_quantile(1 - _TAIL, free) * error / (value * (1 - value))
    return bounded(value, *(1 / (1 + math.exp(min(700.0, -bound))) for bound in (middle - reach, middle + reach)))


FEW = 5.0
"""Information, about as many wins or defeats, below which deals tell too little of an error."""

_ALIKE_IN_A_DEAL = 0.25
"""The correlation of two results on one deal that is assumed where deals tell too little of it."""


def share(value: float, error: float, number: float, deals: float, free: int) -> FigureData:
    """A share of `number` results on `deals` deals, with the mid-P interval (G. Berry, P. Armitage, The Statistician 44, 1995)
    of as many independent results as would have this error: at most `number`, and fewer on few deals (E. L. Korn,
    B. I. Graubard, Survey Methodology 24, 1998). Without an interval on too few deals."""
    if free < FEWEST_FREE or not number:
        return bounded(value)
    effect = number**2 * (error**2 + unseen(number, deals)) / (number * value * (1 - value) + FEW)
    independent = number / max(1.0, effect) * (NORMAL.inv_cdf(1 - _TAIL) / t_quantile(1 - _TAIL, free)) ** 2
    hits, rest = value * independent, (1 - value) * independent

    def below(place: float) -> float:
        more = beta_below(place, hits + 1, rest) if rest else 0.0
        return (more + (beta_below(place, hits, rest + 1) if hits else 1.0)) / 2

    return bounded(value, _where(below, _TAIL) if hits else 0.0, _where(below, 1 - _TAIL) if rest else 1.0)


def unseen(number: float, deals: float) -> float:
    """The part of a share's variance that stands for what hardly any win or defeat can show: how much the results of one deal
    depend on one another."""
    return FEW * max(1.0, 1 + (number / deals - 1) * _ALIKE_IN_A_DEAL) / number**2


def difference(first: FigureData, second: FigureData, correlation: float) -> FigureData:
    """The difference of two figures that lean on the same deals, by the method of variance estimates recovery (G. Y. Zou,
    A. Donner, Statistics in Medicine 27, 2008)."""
    value = first["value"] - second["value"]
    if first["low"] is None or first["high"] is None or second["low"] is None or second["high"] is None:
        return bounded(value)
    below, above = first["value"] - first["low"], first["high"] - first["value"]
    its_below, its_above = second["value"] - second["low"], second["high"] - second["value"]
    return bounded(value, value - _across(below, its_above, correlation), value + _across(above, its_below, correlation))


def rescaled(found: FigureData, times: float = 1.0, plus: float = 0.0) -> FigureData:
    """A figure on another scale, whose unit is larger than 0."""
    low, high = found["low"], found["high"]
    value = found["value"] * times + plus
    return bounded(value) if low is None or high is None else bounded(value, low * times + plus, high * times + plus)


def within(found: FigureData, least: float, most: float) -> FigureData:
    """A figure whose value and interval stay between what is possible."""
    low, high = found["low"], found["high"]
    value = min(most, max(least, found["value"]))
    return bounded(value) if low is None or high is None else bounded(value, max(least, low), min(most, high))


def _across(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one * one + other * other - 2 * correlation * one * other))
