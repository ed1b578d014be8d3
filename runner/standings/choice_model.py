"""Choice model: the probability of each choice under Plackett and Luce's model with ties, its mean and its covariances.

H. L. Turner, J. van Etten, D. Firth and I. Kosmidis, Modelling rankings in R: the PlackettLuce package, Computational
Statistics 35, 2020. Of the seats that are left, the set S is chosen with a probability in proportion to
delta_|S| * (product of the strengths in S) ** (1 / |S|), where delta_1 is 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from operator import mul
from typing import NamedTuple

from runner.standings.choice import Choice
from runner.standings.linear_system import Matrix, diagonal, product

Subset = tuple[tuple[int, float], ...]
"""What a possible choice adds to the entries of a vector: its share to each seat chosen, then 1 to its number of ties."""


class Expected(NamedTuple):
    """What the model expects of a choice: the mean share of each seat left and of each number of ties, and their covariances.

    `parameters` says which parameter each entry belongs to, `weights` are the probabilities of `subsets`. A seat's share of a
    choice is 1 divided by the number chosen.
    """

    parameters: tuple[int, ...]
    subsets: tuple[Subset, ...]
    weights: list[float]
    mean: list[float]
    covariance: Matrix

    @property
    def moments(self) -> tuple[tuple[int, ...], list[float], Matrix]:
        """The parameters, the means and the covariances."""
        return self.parameters, self.mean, self.covariance


class Parameters:
    """The parameters of the model by number: a log strength for each item, then the log of delta for each number of ties."""

    def __init__(self, items: int, choices: Iterable[Choice]) -> None:
        self.items = items
        tied = sorted({(choice.kind, len(choice.chosen)) for choice in choices if len(choice.chosen) > 1})
        self.ties = {key: items + number for number, key in enumerate(tied)}
        self.size = items + len(tied)

    def sizes(self, kind: str, left: int) -> tuple[int, ...]:
        """The numbers of ties that happen in this kind of match, among at most that number of seats."""
        return tuple(number for other, number in self.ties if other == kind and number <= left)

    def of(self, kind: str, left: tuple[int, ...]) -> tuple[int, ...]:
        """The parameters of a choice among these items."""
        return (*left, *(self.ties[kind, size] for size in self.sizes(kind, len(left))))

    def observed(self, choice: Choice) -> list[tuple[int, float]]:
        """What a choice adds to each parameter's sum."""
        size = len(choice.chosen)
        shares = [(item, 1 / size) for item in choice.chosen]
        return [*shares, (self.ties[choice.kind, size], 1.0)] if size > 1 else shares


@cache
def _subsets(seats: int, sizes: tuple[int, ...]) -> tuple[Subset, ...]:
    """All sets of seats that can be chosen."""
    singles: list[Subset] = [((seat, 1.0),) for seat in range(seats)]
    tied: list[Subset] = [
        (*((seat, 1 / size) for seat in chosen), (seats + number, 1.0))
        for number, size in enumerate(sizes)
        for chosen in combinations(range(seats), size)
    ]
    return (*singles, *tied)


def _weights(values: Sequence[float], seats: int, sizes: tuple[int, ...]) -> list[float]:
    """The probability of each set."""
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
    """Covariances from second moments."""
    for row, own in zip(second, mean, strict=True):
        for place, its in enumerate(mean):
            row[place] -= own * its
    return second
