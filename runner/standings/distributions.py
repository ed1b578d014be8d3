"""Distributions: quantiles and tails of Student's t."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

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
