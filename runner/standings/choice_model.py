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
from typing import NamedTuple

from runner.standings.choice import Choice
from runner.standings.linear_system import Matrix, diagonal

Subset = tuple[tuple[int, ...], float]
"""The places of a vector that a possible choice adds to, and how much it adds to the places of seats."""


class Expected(NamedTuple):
    """What the model expects of a choice: the mean share of each seat left and of each number of ties, and their covariances.

    `parameters` says which parameter each entry belongs to. A seat's share of a choice is 1 divided by the number chosen.
    """

    parameters: tuple[int, ...]
    mean: list[float]
    covariance: Matrix


class Parameters:
    """The parameters of the model by number: a log strength for each item, then the log of delta for each number of ties."""

    def __init__(self, items: int, choices: Iterable[Choice]) -> None:
        self.items = items
        tied = sorted({(choice.kind, len(choice.chosen)) for choice in choices if len(choice.chosen) > 1})
        self.ties = {key: items + number for number, key in enumerate(tied)}
        self.size = items + len(tied)

    def sizes(self, kind: str, left: int) -> tuple[int, ...]:
        """The numbers of ties that happen in this kind of match, among at most so many seats."""
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
    singles: list[Subset] = [((seat,), 1.0) for seat in range(seats)]
    tied: list[Subset] = [
        ((*chosen, seats + number), 1 / size)
        for number, size in enumerate(sizes)
        for chosen in combinations(range(seats), size)
    ]
    return (*singles, *tied)


def _weights(values: Sequence[float], seats: int, sizes: tuple[int, ...]) -> list[float]:
    """The probability of each set."""
    if not sizes:
        found = [math.exp(value) for value in values]
    else:
        found = [math.exp(value) for value in values[:seats]]
        for places, share in _subsets(seats, sizes)[seats:]:
            found.append(math.exp(values[places[-1]] + share * sum([values[place] for place in places[:-1]])))
    total = sum(found)
    return [one / total for one in found]


def expected(parameters: tuple[int, ...], point: Sequence[float], seats: int, sizes: tuple[int, ...]) -> Expected:
    """The mean and the covariances of a choice at a point of the parameters."""
    weights = _weights([point[number] for number in parameters], seats, sizes)
    if not sizes:
        return Expected(parameters, weights, _less_squares(diagonal(weights), weights))
    length = len(parameters)
    mean, second = [0.0] * length, [[0.0] * length for _ in parameters]
    for (places, share), weight in zip(_subsets(seats, sizes), weights, strict=True):
        shares = [(place, share if place < seats else 1.0) for place in places]
        for place, own in shares:
            mean[place] += (part := own * weight)
            row = second[place]
            for other, its in shares:
                row[other] += part * its
    return Expected(parameters, mean, _less_squares(second, mean))


def _less_squares(second: Matrix, mean: Sequence[float]) -> Matrix:
    """Covariances from second moments."""
    for row, own in zip(second, mean, strict=True):
        for place, its in enumerate(mean):
            row[place] -= own * its
    return second
