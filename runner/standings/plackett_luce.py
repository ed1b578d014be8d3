"""Plackett-Luce fit: the most likely strengths of all agents at once, so the order of matches does not matter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.standings.choice import Choice
from runner.standings.choice_model import Expected, Parameters, expected, third_moments
from runner.standings.linear_system import Matrix, diagonal, factor, product, solve

PRIOR = 1 / 36.0
"""The precision of the normal prior of strengths: mean 0, standard deviation 6 (about 1,040 rating points).

It keeps the strength of an agent that won or lost everything finite, and weighs less than a tenth of one match.
"""

POINTS = 400 / math.log(10)
"""Rating points for one unit of strength: as in chess, 400 points are odds of ten to one for two agents at a table."""

_STEPS = 60
_ENOUGH = 1e-9
_NEAR = 1e-3
_REDUCTIONS = 20
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
    point = centre = _centre(means, items, parameters.size)
    for _ in range(_STEPS):
        found = _expected(left, parameters, point)
        away = _less(point, centre)
        gradient, curvature = _gradient(left, found, observed, prior, away), _curvature(left, found, prior)
        lower = factor(curvature)
        step = solve(lower, gradient)
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        point = [value + scale * change for value, change in zip(point, step, strict=True)]
        if longest < _ENOUGH:
            break
    return Fit(parameters, point, found, curvature, lower)


def _centre(means: Sequence[float] | None, items: int, size: int) -> list[float]:
    """The means of the prior of all parameters."""
    return [*(means or [0.0] * items), *(0.0 for _ in range(size - items))]


def _less(point: Sequence[float], centre: Sequence[float]) -> list[float]:
    return [value - mean for value, mean in zip(point, centre, strict=True)]


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


def _gradient(
    left: Mapping[Left, float], found: Mapping[Left, Expected], observed: Sequence[float], prior: Matrix, away: Sequence[float]
) -> list[float]:
    """The gradient of the logarithm of the posterior. `away` is how far the point is from the prior's means."""
    gradient = [seen - back for seen, back in zip(observed, product(prior, away), strict=True)]
    for key, number in left.items():
        for place, share in zip(found[key].parameters, found[key].mean, strict=True):
            gradient[place] -= number * share
    return gradient


def _curvature(left: Mapping[Left, float], found: Mapping[Left, Expected], prior: Matrix) -> Matrix:
    """The negative Hessian of the logarithm of the posterior."""
    curvature = [row.copy() for row in prior]
    for key, number in left.items():
        parameters, _, covariance = found[key].moments
        for place, line in zip(parameters, covariance, strict=True):
            row = curvature[place]
            for other, bend in zip(parameters, line, strict=True):
                row[other] += number * bend
    return curvature


def bias_reduced(
    fitted: Fit, choices: Mapping[Choice, float], precision: Matrix | None = None, means: Sequence[float] | None = None
) -> Fit:
    """The fit with Jeffreys' prior on top, which takes away the largest part of the bias of small samples.

    D. Firth, Bias reduction of maximum likelihood estimates, Biometrika 80, 1993.
    """
    parameters, lower = fitted.parameters, fitted.lower
    prior = _prior(precision or diagonal([PRIOR] * parameters.items), parameters.size)
    left, observed = _summed(choices, parameters)
    point, found = fitted.point, fitted.expected
    centre = _centre(means, parameters.items, parameters.size)
    for _ in range(_REDUCTIONS):
        pull = _jeffreys(left, found, [solve(lower, row) for row in diagonal([1.0] * parameters.size)])
        gradient = _gradient(left, found, observed, prior, _less(point, centre))
        step = solve(lower, [one + more for one, more in zip(gradient, pull, strict=True)])
        longest = max(map(abs, step), default=0.0)
        scale = 1 / max(1.0, longest)
        point = [value + scale * change for value, change in zip(point, step, strict=True)]
        found = _expected(left, parameters, point)
        curvature = _curvature(left, found, prior)
        lower = factor(curvature)
        if longest < _NEAR:
            break
    return Fit(parameters, point, found, curvature, lower)


def _jeffreys(left: Mapping[Left, float], found: Mapping[Left, Expected], inverse: Matrix) -> list[float]:
    """The gradient of half the logarithm of the information's determinant."""
    gradient = [0.0] * len(inverse)
    for key, number in left.items():
        for place, share in third_moments(found[key], inverse):
            gradient[place] += number * share / 2
    return gradient
