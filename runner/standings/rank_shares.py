"""Rank shares: how probable each rank is for each agent, from draws of the errors of all ratings together."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from runner.standings.linear_system import Matrix, factor, product

_SAME = 1e-9


def rank_shares(ratings: Sequence[float], covariances: Matrix, free: int, draws: int) -> list[tuple[float, ...]]:
    """For each agent the share of draws in which it has each rank; agents with equal ratings share their ranks."""
    counts = [[0.0] * len(ratings) for _ in ratings]
    for errors in _drawn(covariances, free, draws):
        _rank([rating + error for rating, error in zip(ratings, errors, strict=True)], counts)
    return [tuple(count / draws for count in row) for row in counts]


def _drawn(covariances: Matrix, free: int, times: int) -> Iterator[list[float]]:
    """Errors of Student's multivariate distribution."""
    rng, lower, size = random.Random(0), factor(covariances), range(len(covariances))
    for _ in range(times):
        scale = math.sqrt(rng.gammavariate(free / 2, 2 / free))
        yield [error / scale for error in product(lower, [rng.gauss(0, 1) for _ in size])]


def _rank(drawn: Sequence[float], counts: Matrix) -> None:
    """Count the ranks of one draw."""
    order = sorted(range(len(drawn)), key=drawn.__getitem__, reverse=True)
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or drawn[order[start]] - drawn[order[end]] > _SAME:
            for agent in order[start:end]:
                for rank in range(start, end):
                    counts[agent][rank] += 1 / (end - start)
            start = end
