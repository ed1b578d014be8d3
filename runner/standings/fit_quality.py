"""Fit quality: how well the model predicts the win shares of each line-up of agents that was played."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from runner.standings.deal_counts import FEWEST_FREE, PlacingStage
from runner.standings.document_types import FitData, GapData
from runner.standings.figures import effective_free, t_tail
from runner.standings.plackett_luce import POINTS, Fit, Left

POOR = 0.01
"""A fit is poor when a true model would bring such a gap less often than this, corrected for the number of gaps."""

LARGE = 30.0
"""In rating points: a smaller gap is no poor fit, however certain it is."""


_NOTHING = 1e-6
"""A smaller variance of wins per match is that of a line-up which the fit follows exactly."""

_FEWEST_EXPECTED = 5.0
"""With fewer wins or defeats expected, an agent is not compared (W. G. Cochran, The chi-square test, 1952)."""

_LEAST = 0.001
"""Smaller shares count as this in points."""

Tables = dict[Left, list[tuple[int, PlacingStage, float]]]
"""For each line-up the choices of its winners: the number of their block, the choice, and how often there was one."""


def gap_points(observed: float, expected: float) -> float:
    """The difference of the odds of two shares in rating points."""
    one, other = (min(max(share, _LEAST), 1 - _LEAST) for share in (observed, expected))
    return POINTS * (math.log(one / (1 - one)) - math.log(other / (1 - other)))


class Gap(NamedTuple):
    """A gap, the wins beyond the expected ones by their error, and the degrees of freedom."""

    data: GapData
    studentised: float
    free: int

    @property
    def points(self) -> float:
        """The gap in rating points."""
        return gap_points(self.data["observed"], self.data["expected"])

    def chance(self, gaps: int) -> float:
        """The probability that chance alone brings any of that number of gaps."""
        return min(1.0, 2 * gaps * t_tail(abs(self.studentised), self.free))


def fit_quality(
    fitted: Fit,
    blocks: Sequence[Mapping[PlacingStage, float]],
    weights: Sequence[float],
    moves: Sequence[Sequence[float]],
    names: Sequence[str],
) -> FitData | None:
    """How well line-ups fit that were played in enough blocks; None without one that can differ from the fit. The worst gap is
    the largest in points among those that chance hardly explains, or the largest for its error without one. `fitted` has the
    likeliest strengths, `moves` are the influences of the blocks, `names` those of the items."""
    gaps = list[Gap]()
    for left, rows in tables_of(blocks).items():
        free = free_at(rows, len(blocks))
        if free >= FEWEST_FREE and len(set(left[1])) > 1:
            lineup = [names[item] for item in left[1]]
            found = ((names[item], wins_at(item, rows, fitted, len(blocks))) for item in sorted(set(left[1])))
            gaps += filter(None, (_gap(name, lineup, free, wins, weights, moves) for name, wins in found))
    if not gaps:
        return None
    certain = [gap for gap in gaps if gap.chance(len(gaps)) < POOR]
    worst = max(certain or gaps, key=lambda gap: abs(gap.points if certain else gap.studentised))
    mean = sum(abs(gap.data["observed"] - gap.data["expected"]) for gap in gaps) / len(gaps)
    chance = worst.chance(len(gaps))
    return {
        "lineups": len({tuple(gap.data["lineup"]) for gap in gaps}),
        "mean_gap": mean,
        "worst": worst.data,
        "chance": chance,
        "is_poor": chance < POOR and abs(worst.points) >= LARGE,
    }


def _gap(
    name: str, lineup: Sequence[str], free: int, wins: Wins, weights: Sequence[float], moves: Sequence[Sequence[float]]
) -> Gap | None:
    """The gap of one agent; None where it can hardly differ from the fit."""
    matches, expected = sum(wins.matches), sum(wins.expected)
    square = wins.variance(weights, moves)
    if min(expected, matches - expected) < _FEWEST_EXPECTED or square < _NOTHING * matches:
        return None
    observed, predicted = sum(wins.wins) / matches, expected / matches
    data: GapData = {"agent": name, "lineup": list(lineup), "observed": observed, "expected": predicted}
    return Gap(data, wins.surplus / math.sqrt(square), free)


def tables_of(blocks: Sequence[Mapping[PlacingStage, float]]) -> Tables:
    """The choices of the winners of all matches."""
    found: Tables = {}
    for number, block in enumerate(blocks):
        for choice, times in block.items():
            if choice.is_first:
                found.setdefault((choice.kind, choice.left), []).append((number, choice, times))
    return found


def free_at(rows: Iterable[tuple[int, PlacingStage, float]], most: int) -> int:
    """Degrees of freedom of a figure from these matches, at most `most`."""
    matches: dict[int, float] = {}
    for number, _, times in rows:
        matches[number] = matches.get(number, 0.0) + times
    return effective_free(list(matches.values()), most)


class Wins(NamedTuple):
    """The wins of an item at some tables: for each block the matches, the item's seats, its wins and the expected ones; and how
    the expected number of wins moves with each parameter."""

    matches: list[float]
    seats: list[float]
    wins: list[float]
    expected: list[float]
    slopes: dict[int, float]

    @property
    def surplus(self) -> float:
        """The wins beyond the expected ones."""
        return sum(self.wins) - sum(self.expected)

    def variance(self, weights: Sequence[float], moves: Sequence[Sequence[float]]) -> float:
        """The variance of the surplus. The influences of blocks (`moves`) allow for the fit, which follows the same matches."""
        square = 0.0
        for weight, move, wins, expected in zip(weights, moves, self.wins, self.expected, strict=True):
            followed = sum(slope * move[place] for place, slope in self.slopes.items())
            square += weight * (wins - expected - followed) ** 2
        return square


def wins_at(item: int, rows: Iterable[tuple[int, PlacingStage, float]], fitted: Fit, blocks: int) -> Wins:
    """The wins of an item at some tables that it sits at."""
    found = Wins._make([*([0.0] * blocks for _ in range(4)), {}])
    for number, choice, times in rows:
        expected = fitted.expected[choice.kind, choice.left]
        seats = [seat for seat, one in enumerate(choice.left) if one == item]
        found.matches[number] += times
        found.seats[number] += times * len(seats)
        found.wins[number] += times * choice.chosen.count(item) / len(choice.chosen)
        found.expected[number] += times * sum(expected.mean[seat] for seat in seats)
        for place, parameter in enumerate(expected.parameters):
            slope = times * sum(expected.covariance[seat][place] for seat in seats)
            found.slopes[parameter] = found.slopes.get(parameter, 0.0) + slope
    return found
