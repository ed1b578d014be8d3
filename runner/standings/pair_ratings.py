"""Pair ratings: every pair of agents, with intervals that hold together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.standings.deal_blocks import FEWEST_FREE
from runner.standings.deal_counts import Outcome
from runner.standings.figures import Figure, Interval
from runner.standings.linear_system import Matrix
from runner.standings.rating_types import PairRating
from runner.standings.standard import ESTABLISHED, Standard
from runner.standings.strengths import Strengths

_NOTHING = 1e-6
"""A smaller difference in points is none."""

Pair = tuple[int, int]


class Basis(NamedTuple):
    """What the judgement of pairs rests on: each agent's own degrees of freedom, those of all deals, the number of deals."""

    free: Sequence[int]
    most: int
    deals: int

    def of(self, i: int, j: int) -> tuple[int, int]:
        """The degrees of freedom of a pair, and its number of deals."""
        free = min(self.free[i], self.free[j])
        return free, round(self.deals * (free + 1) / (self.most + 1))


def pair_ratings(
    agents: Sequence[str], found: Strengths, basis: Basis, outcomes: Mapping[Pair, Outcome], standard: Standard
) -> Iterator[PairRating]:
    """Every pair, the better agent first."""
    order = sorted(range(len(agents)), key=lambda number: -found.ratings[number])
    group = connected(outcomes, len(agents))
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            outcome = outcomes.get((i, j)) or outcomes.get((j, i), Outcome()).turned
            value, error = found.ratings[i] - found.ratings[j], _pair_error(found.covariances, i, j)
            free, deals = basis.of(i, j) if group[i] == group[j] else (0, 0)
            yield PairRating(agents[i], agents[j], outcome, *_judged(value, error, free, deals, standard))


def _judged(value: float, error: float, free: int, deals: int, standard: Standard) -> tuple[Figure, float, float, bool]:
    """The difference with its interval, its error, its probability by chance, and whether it is established."""
    if free < FEWEST_FREE:
        return Figure(value, None), math.inf, 1.0, False
    reach = standard.reach(free, deals) * error
    bounds = Figure(value, Interval(value - reach, value + reach) if math.isfinite(reach) else None)
    if value < _NOTHING:
        return bounds, error, 1.0, False
    chance = standard.chance(value / error, free, deals) if error else 0.0
    return bounds, error, chance, chance < ESTABLISHED


def _pair_error(covariances: Matrix, i: int, j: int) -> float:
    """The standard error of the difference of two agents."""
    return math.sqrt(max(0.0, covariances[i][i] + covariances[j][j] - 2 * covariances[i][j]))


def connected(outcomes: Mapping[Pair, Outcome], agents: int) -> list[int]:
    """The group of each agent, by number: agents that a chain of common matches connects are in one group."""
    group = list(range(agents))
    for (first, second), outcome in outcomes.items():
        if outcome.met:
            old, new = group[second], group[first]
            group = [new if one == old else one for one in group]
    return group
