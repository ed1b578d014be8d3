"""Statistical power: the number of deals that establish a difference between two agents."""

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TypedDict

from runner.arena.schedule import Fixture
from runner.standings.deal_counts import placing_of
from runner.standings.document_types import GameData
from runner.standings.figures import NORMAL
from runner.standings.plackett_luce import POINTS, PRIOR, Matrix, diagonal, factor, solve
from runner.standings.rating import ESTABLISHED

POWER = 0.8
"""The probability of finding a difference that exists."""


class PairPower(TypedDict):
    """Two agents, the deals they need (None: unknown), and the standard error of their difference so far."""

    agents: list[str]
    deals: int | None
    error: float | None


def deals_needed(game: GameData, points: float) -> list[PairPower]:
    """For each pair of agents in a game's standings, the deals that establish a difference of `points`.

    n = v (z1 + z2)^2 / d^2, where v is the variance per deal so far (standard error squared times deals) and z1 + z2 are the
    `quantiles` (J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988).
    """
    meetings = game["meetings"]
    found: list[PairPower] = []
    for meeting in meetings:
        error = meeting["error"]
        needed = max(5, math.ceil(error**2 * game["deals"] * (quantiles(len(meetings)) / points) ** 2)) if error else None
        found.append({"agents": meeting["agents"], "deals": needed, "error": error})
    return found


def quantiles(pairs: int) -> float:
    """The sum of the normal quantiles of the permitted error, which all pairs share, and of the power."""
    return NORMAL.inv_cdf(1 - ESTABLISHED / 2 / pairs) + NORMAL.inv_cdf(POWER)


def planned_power(fixtures: Iterable[Fixture], points: float) -> dict[tuple[str, int], list[PairPower]]:
    """For each game, number of players and pair of agents, the deals that establish a difference of `points`."""
    tables: dict[tuple[str, int], list[Fixture]] = {}
    for fixture in fixtures:
        tables.setdefault((fixture.game, len(fixture.seats)), []).append(fixture)
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
        worth = seat_information(len(fixture.seats), placing_of(fixture.game) == "scores")
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
