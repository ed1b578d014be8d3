"""Plackett-Luce fit: the most likely strengths of all agents at once, so the order of matches does not matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.standings.choice import Choice
from runner.standings.choice_model import Expected, Parameters, expected
from runner.standings.linear_system import Matrix, diagonal, factor, product, solve

PRIOR = 1 / 36.0
"""The precision of the normal prior of strengths: mean 0, standard deviation 6 (about 1,040 rating points).

It keeps the strength of an agent that won or lost everything finite, and weighs less than a tenth of one match.
"""

_STEPS = 60
_ENOUGH = 1e-9
_LONGEST_STEP = 2.0

Left = tuple[str, tuple[int, ...]]
"""A kind of match and the items that can be chosen."""


class Fit(NamedTuple):
    """The fitted parameters, what the model expects of each choice there, and Cholesky's factor of the curvature."""

    parameters: Parameters
    point: list[float]
    expected: Mapping[Left, Expected]
    curvature: Matrix
    lower: Matrix

    @property
    def strengths(self) -> list[float]:
        """The log strength of each item."""
        return self.point[: self.parameters.items]


def fit(
    choices: Mapping[Choice, float], items: int, precision: Matrix | None = None, means: Sequence[float] | None = None
) -> Fit:
    """The fit by Newton's method; the logarithm of the likelihood is concave.

    `precision` is that of the prior of the items, which is `PRIOR` for each without it, `means` its means, which are 0.
    """
    parameters = Parameters(items, choices)
    prior = _prior(precision or diagonal([PRIOR] * items), parameters.size)
    left, observed = _summed(choices, parameters)
    centre = [*(means or [0.0] * items), *(0.0 for _ in range(parameters.size - items))]
    point = centre
    for _ in range(_STEPS):
        found = _expected(left, parameters, point)
        away = [value - mean for value, mean in zip(point, centre, strict=True)]
        gradient, curvature = _derivatives(left, found, observed, prior, away)
        lower = factor(curvature)
        step = solve(lower, gradient)
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        point = [value + scale * change for value, change in zip(point, step, strict=True)]
        if longest < _ENOUGH:
            break
    return Fit(parameters, point, found, curvature, lower)


def _prior(precision: Matrix, size: int) -> Matrix:
    """The precision of all parameters: those of ties have the weak prior of strengths."""
    items = len(precision)
    return [[*row, *(0.0 for _ in range(size - items))] for row in precision] + diagonal([PRIOR] * size)[items:]


def _summed(choices: Mapping[Choice, float], parameters: Parameters) -> tuple[dict[Left, float], list[float]]:
    """How often there was a choice among the same items, and the sums of what was chosen."""
    left: dict[Left, float] = {}
    observed = [0.0] * parameters.size
    for choice, number in choices.items():
        left[choice.kind, choice.left] = left.get((choice.kind, choice.left), 0.0) + number
        for place, share in parameters.observed(choice):
            observed[place] += number * share
    return left, observed


def _expected(left: Mapping[Left, float], parameters: Parameters, point: Sequence[float]) -> dict[Left, Expected]:
    return {
        (kind, items): expected(parameters.of(kind, items), point, len(items), parameters.sizes(kind, len(items)))
        for kind, items in left
    }


def _derivatives(
    left: Mapping[Left, float], found: Mapping[Left, Expected], observed: Sequence[float], prior: Matrix, away: Sequence[float]
) -> tuple[list[float], Matrix]:
    """The gradient of the logarithm of the posterior, and its curvature (the negative Hessian). `away` is how far the point is
    from the prior's means."""
    pull = product(prior, away)
    gradient = [seen - back for seen, back in zip(observed, pull, strict=True)]
    curvature = [row.copy() for row in prior]
    for key, number in left.items():
        parameters, mean, covariance = found[key]
        for place, share, line in zip(parameters, mean, covariance, strict=True):
            gradient[place] -= number * share
            row = curvature[place]
            for other, bend in zip(parameters, line, strict=True):
                row[other] += number * bend
    return gradient, curvature
