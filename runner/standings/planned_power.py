"""Planned power: the number of deals that establish a difference, from the plan of a tournament alone.

A guess from the model: agents of equal strength, matches on a deal that tell as much as matches on several, no ties. Played
matches give better figures, as they show what deals and agents have in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations

from runner.arena.schedule import Fixture
from runner.standings.linear_system import Matrix, diagonal, factor, solve
from runner.standings.plackett_luce import POINTS, PRIOR
from runner.standings.power import PairPower, quantiles
from runner.standings.rated_match import placing_of

Table = tuple[str, int]
"""A game and a number of players."""


def planned_power(fixtures: Iterable[Fixture], points: float) -> dict[Table, list[PairPower]]:
    """For each table and pair of agents, the deals that establish a difference of `points`."""
    tables: dict[Table, list[Fixture]] = {}
    for fixture in fixtures:
        tables.setdefault((fixture.game, fixture.players), []).append(fixture)
    return {table: _of_table(found, points) for table, found in tables.items()}


def _of_table(fixtures: list[Fixture], points: float) -> list[PairPower]:
    number = {name: place for place, name in enumerate(sorted({seat.name for one in fixtures for seat in one.seats}))}
    deals = len({fixture.seed for fixture in fixtures})
    lower = factor(_information(fixtures, number))
    pairs = list(combinations(number, 2))
    needed = quantiles(len(pairs)) * POINTS / points if pairs else 0.0
    found: list[PairPower] = []
    for one, other in pairs:
        contrast = [float((name == one) - (name == other)) for name in number]
        variance = sum(side * value for side, value in zip(contrast, solve(lower, contrast), strict=True))
        found.append({"agents": [one, other], "deals": max(5, math.ceil(variance * deals * needed**2)), "error": None})
    return found


def _information(fixtures: Iterable[Fixture], number: Mapping[str, int]) -> Matrix:
    """Fisher's information on the log strengths of equal agents, with the prior of fits."""
    found = diagonal([PRIOR] * len(number))
    for fixture in fixtures:
        worth = seat_information(fixture.players, placing_of(fixture.game) == "scores")
        for one, other in combinations([number[seat.name] for seat in fixture.seats], 2):
            if one != other:
                for row, column in ((one, other), (other, one)):
                    found[row][row] += worth
                    found[row][column] -= worth
    return found


def seat_information(seats: int, has_places: bool) -> float:
    """What a match tells of the difference of two of its seats: the negative covariance of their shares, over all stages of a
    placing or that of the winner alone."""
    if not has_places:
        return 1 / seats**2
    return sum((left - 1) / left for left in range(2, seats + 1)) / (seats * (seats - 1))
