"""Plackett-Luce fit: the most likely strengths of all agents at once, so the order of matches does not matter."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, islice
from operator import mul
from typing import NamedTuple

from games.statistics.deal_sums import PlacingStage

Subset = tuple[tuple[int, float], ...]
"""What a possible choice adds to the entries of a vector: its share to each seat chosen, then 1 to its number of ties."""


class Expected(NamedTuple):
    """What the model expects of a choice: the mean share of each seat left and of each number of ties, and their covariances.
    `parameters` says which parameter each entry belongs to, `weights` are the probabilities of `subsets`. A seat's share of a
    choice is 1 divided by the number chosen."""

    parameters: tuple[int, ...]
    subsets: tuple[Subset, ...]
    weights: list[float]
    mean: list[float]
    covariance: Matrix


class Parameters:
    """The parameters of the model by number: a log strength for each item, then the log of delta for each number of ties."""

    def __init__(self, items: int, choices: Iterable[PlacingStage]) -> None:
        self.items = items
        tied = sorted({(choice.kind, len(choice.chosen)) for choice in choices if len(choice.chosen) > 1})
        self.ties = {key: items + number for number, key in enumerate(tied)}
        self.size = items + len(tied)

    def sizes(self, kind: str, left: int) -> tuple[int, ...]:
        """The numbers of ties that happen in this kind of match, among at most that number of seats."""
        return tuple(number for other, number in self.ties if other == kind and number <= left)

    def of(self, kind: str, left: tuple[int, ...]) -> tuple[int, ...]:
        return (*left, *(self.ties[kind, size] for size in self.sizes(kind, len(left))))

    def observed(self, choice: PlacingStage) -> list[tuple[int, float]]:
        size = len(choice.chosen)
        shares = [(item, 1 / size) for item in choice.chosen]
        return [*shares, (self.ties[choice.kind, size], 1.0)] if size > 1 else shares


@cache
def _subsets(seats: int, sizes: tuple[int, ...]) -> tuple[Subset, ...]:
    singles: list[Subset] = [((seat, 1.0),) for seat in range(seats)]
    tied: list[Subset] = [
        (*((seat, 1 / size) for seat in chosen), (seats + number, 1.0))
        for number, size in enumerate(sizes)
        for chosen in combinations(range(seats), size)
    ]
    return (*singles, *tied)


def _weights(values: Sequence[float], seats: int, sizes: tuple[int, ...]) -> list[float]:
    found = [math.exp(value) for value in values[:seats]]
    for shares in _subsets(seats, sizes)[seats:]:
        found.append(math.exp(sum([values[place] * share for place, share in shares])))
    total = sum(found)
    return [one / total for one in found]


def expected(parameters: tuple[int, ...], point: Sequence[float], seats: int, sizes: tuple[int, ...]) -> Expected:
    """The mean and the covariances of a choice at a point of the parameters."""
    subsets, weights = _subsets(seats, sizes), _weights([point[number] for number in parameters], seats, sizes)
    if not sizes:
        return Expected(parameters, subsets, weights, weights, _less_squares(diagonal(weights), weights))
    mean, second = [0.0] * len(parameters), [[0.0] * len(parameters) for _ in parameters]
    for shares, weight in zip(subsets, weights, strict=True):
        for place, own in shares:
            mean[place] += (part := own * weight)
            row = second[place]
            for other, its in shares:
                row[other] += part * its
    return Expected(parameters, subsets, weights, mean, _less_squares(second, mean))


def third_moments(found: Expected, inverse: Matrix) -> list[tuple[int, float]]:
    """For each entry its covariance with the squared length of a choice, measured by the inverse of the information."""
    parameters, subsets, weights, mean, _ = found
    metric = [[inverse[one][other] for other in parameters] for one in parameters]
    towards = product(metric, mean)
    lengths = [
        sum(own * (sum(its * metric[place][other] for other, its in shares) - 2 * towards[place]) for place, own in shares)
        for shares in subsets
    ]
    average = sum(map(mul, weights, lengths))
    moments = [0.0] * len(mean)
    for shares, weight, length in zip(subsets, weights, lengths, strict=True):
        for place, own in shares:
            moments[place] += own * weight * (length - average)
    return list(zip(parameters, moments, strict=True))


def _less_squares(second: Matrix, mean: Sequence[float]) -> Matrix:
    for row, own in zip(second, mean, strict=True):
        for place, its in enumerate(mean):
            row[place] -= own * its
    return second


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
        return self.point[: self.parameters.items]


class Prior(NamedTuple):
    """The normal prior of the items: its precision (None: `PRIOR` for each) and its means (None: 0)."""

    precision: Matrix | None = None
    means: Sequence[float] | None = None


WEAK = Prior()


class _Posterior:
    def __init__(self, choices: Mapping[PlacingStage, float], parameters: Parameters, prior: Prior) -> None:
        items, size = parameters.items, parameters.size
        own = prior.precision or diagonal([PRIOR] * items)
        self.parameters = parameters
        self.centre = [*(prior.means or [0.0] * items), *[0.0] * (size - items)]
        self._prior = [[*row, *[0.0] * (size - items)] for row in own] + diagonal([PRIOR] * size)[items:]
        self._choices = choices
        self._left: dict[Left, float] = {}
        for choice, number in choices.items():
            key = choice.kind, choice.left
            self._left[key] = self._left.get(key, 0.0) + number

    def at(self, point: list[float]) -> Fit:
        """What the model expects at a point, and the curvature of the logarithm of the posterior there."""
        found = {
            (kind, items): expected(self.parameters.of(kind, items), point, len(items), self.parameters.sizes(kind, len(items)))
            for kind, items in self._left
        }
        curvature = [row.copy() for row in self._prior]
        for key, number in self._left.items():
            _add_curvature(curvature, found[key], number)
        return Fit(self.parameters, point, found, curvature, factor(curvature))

    def gradient(self, fitted: Fit) -> list[float]:
        away = [value - mean for value, mean in zip(fitted.point, self.centre, strict=True)]
        return [more - back for more, back in zip(surplus(fitted, self._choices), product(self._prior, away), strict=True)]

    def jeffreys(self, fitted: Fit) -> list[float]:
        """The gradient of half the logarithm of the information's determinant."""
        inverse = [solve(fitted.lower, row) for row in diagonal([1.0] * self.parameters.size)]
        gradient = [0.0] * self.parameters.size
        for key, number in self._left.items():
            for place, share in third_moments(fitted.expected[key], inverse):
                gradient[place] += number * share / 2
        return gradient


def _add_curvature(curvature: Matrix, found: Expected, number: float) -> None:
    for place, line in zip(found.parameters, found.covariance, strict=True):
        row = curvature[place]
        for other, bend in zip(found.parameters, line, strict=True):
            row[other] += number * bend


def _stepped(fitted: Fit, gradient: Sequence[float], longest: float) -> tuple[list[float], float]:
    """The point after Newton's step, which is at most `longest` in each parameter, and the largest change before that bound."""
    step = solve(fitted.lower, gradient)
    size = max(map(abs, step), default=0.0)
    scale = min(1.0, longest / size) if size else 1.0
    return [value + scale * change for value, change in zip(fitted.point, step, strict=True)], size


def fit(choices: Mapping[PlacingStage, float], items: int, prior: Prior = WEAK) -> Fit:
    """The fit by Newton's method; the logarithm of the likelihood is concave."""
    posterior = _Posterior(choices, Parameters(items, choices), prior)
    fitted = posterior.at(posterior.centre)
    for _ in range(_STEPS):
        point, change = _stepped(fitted, posterior.gradient(fitted), _LONGEST_STEP)
        if change < _ENOUGH:
            return fitted._replace(point=point)
        fitted = posterior.at(point)
    return fitted


def bias_reduced(fitted: Fit, choices: Mapping[PlacingStage, float], prior: Prior = WEAK) -> Fit:
    """The fit with Jeffreys' prior on top, which takes away the largest part of the bias of small samples. D. Firth, Bias
    reduction of maximum likelihood estimates, Biometrika 80, 1993."""
    posterior = _Posterior(choices, fitted.parameters, prior)
    for _ in range(_REDUCTIONS):
        gradient = [one + more for one, more in zip(posterior.gradient(fitted), posterior.jeffreys(fitted), strict=True)]
        point, change = _stepped(fitted, gradient, 1.0)
        fitted = posterior.at(point)
        if change < _NEAR:
            break
    return fitted


def influence(fitted: Fit, block: Mapping[PlacingStage, float]) -> list[float]:
    """What each parameter loses without the choices of a block."""
    rest = [row.copy() for row in fitted.curvature]
    for choice, number in block.items():
        _add_curvature(rest, fitted.expected[choice.kind, choice.left], -number)
    return solve(factor(rest), surplus(fitted, block))


def surplus(fitted: Fit, block: Mapping[PlacingStage, float]) -> list[float]:
    """The sums of what was chosen in a block, less the expected ones, for each parameter."""
    found = [0.0] * fitted.parameters.size
    for choice, number in block.items():
        for place, share in fitted.parameters.observed(choice):
            found[place] += number * share
        own = fitted.expected[choice.kind, choice.left]
        for place, share in zip(own.parameters, own.mean, strict=True):
            found[place] -= number * share
    return found


Matrix = list[list[float]]


def diagonal(values: Sequence[float]) -> Matrix:
    return [[value if row == column else 0.0 for column in range(len(values))] for row, value in enumerate(values)]


def factor(matrix: Sequence[Sequence[float]]) -> Matrix:
    """The lower triangle L with L L' = matrix, row by row. A direction without variance gets a zero."""
    rows: Matrix = []
    for number, line in enumerate(matrix):
        row: list[float] = []
        for column in range(number):
            other = rows[column]
            rest = line[column] - sum(map(mul, row, other))
            row.append(rest / other[column] if other[column] else 0.0)
        left = line[number] - sum(map(mul, row, row))
        row.append(math.sqrt(left) if left > 1e-12 * abs(line[number]) else 0.0)
        rows.append(row)
    return rows


def solve(lower: Matrix, right: Sequence[float]) -> list[float]:
    """The solution x of L L' x = right."""
    found: list[float] = []
    for row, value in zip(lower, right, strict=True):
        found.append((value - sum(map(mul, row, found))) / row[-1])
    for number in reversed(range(len(found))):
        row = lower[number]
        value = found[number] = found[number] / row[-1]
        for column, below in enumerate(islice(row, number)):
            found[column] -= below * value
    return found


def product(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(map(mul, row, vector)) for row in matrix]


def covariances(rows: Sequence[Sequence[float]], size: int) -> Matrix:
    """The sums of the products of each two columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * size
    return [[sum(map(mul, one, other)) for other in columns] for one in columns]
