"""Fit quality: how well the model predicts the win shares of each line-up of agents that was played."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.standings.choice import Choice
from runner.standings.deal_blocks import FEWEST_FREE
from runner.standings.distributions import t_tail
from runner.standings.figures import effective_free
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

Played = dict[int, tuple[float, dict[int, float]]]
"""For each block the number of matches, and the wins of each item."""


def _log_odds(share: float) -> float:
    """The log odds of a share that is not quite 0 or 1."""
    bounded = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(bounded / (1 - bounded))


class Gap(NamedTuple):
    """An agent at a line-up: the share of its wins, and what the model says of it."""

    agent: str
    lineup: tuple[str, ...]
    observed: float
    expected: float
    studentised: float
    free: int

    @property
    def points(self) -> float:
        """The difference of the odds of both shares in rating points."""
        return POINTS * (_log_odds(self.observed) - _log_odds(self.expected))

    def chance(self, gaps: int) -> float:
        """The probability that chance alone brings any of that number of gaps."""
        return min(1.0, 2 * gaps * t_tail(abs(self.studentised), self.free))


class FitQuality(NamedTuple):
    """Line-ups that could be compared, the mean size of their gaps, the worst one, and how often chance alone brings that one.

    The worst gap is the largest in points among those that chance hardly explains, or the largest for its error without one.
    """

    lineups: int
    mean_gap: float
    worst: Gap
    chance: float

    @property
    def is_poor(self) -> bool:
        """Whether the ratings do not tell who wins."""
        return self.chance < POOR and abs(self.worst.points) >= LARGE


def fit_quality(
    fitted: Fit,
    blocks: Sequence[Mapping[Choice, float]],
    weights: Sequence[float],
    moves: Sequence[Sequence[float]],
    names: Sequence[str],
) -> FitQuality | None:
    """How well line-ups fit that were played in enough blocks; None without one that can differ from the fit.

    `fitted` has the likeliest strengths, `moves` are the influences of the blocks, `names` those of the items.
    """
    gaps = [
        gap for left, played in _by_lineup(blocks).items() for gap in _Lineup(fitted, left, played, names).gaps(weights, moves)
    ]
    if not gaps:
        return None
    certain = [gap for gap in gaps if gap.chance(len(gaps)) < POOR]
    worst = max(certain or gaps, key=lambda gap: abs(gap.points if certain else gap.studentised))
    mean = sum(abs(gap.observed - gap.expected) for gap in gaps) / len(gaps)
    return FitQuality(len({gap.lineup for gap in gaps}), mean, worst, worst.chance(len(gaps)))


def _by_lineup(blocks: Sequence[Mapping[Choice, float]]) -> dict[Left, Played]:
    """The choices of the winners of all matches."""
    found: dict[Left, Played] = {}
    for number, block in enumerate(blocks):
        for choice, times in block.items():
            if choice.is_first:
                played = found.setdefault((choice.kind, choice.left), {})
                matches, wins = played.get(number, (0.0, {}))
                for item in choice.chosen:
                    wins[item] = wins.get(item, 0.0) + times / len(choice.chosen)
                played[number] = matches + times, wins
    return found


class _Lineup:
    """One line-up: what the model expects there, and what was played."""

    def __init__(self, fitted: Fit, left: Left, played: Played, names: Sequence[str]) -> None:
        self._expected, self._played, self._names = fitted.expected[left], played, names
        self._items = left[1]
        self._matches = sum(matches for matches, _ in played.values())
        self._free = effective_free([matches for matches, _ in played.values()], len(played))

    def gaps(self, weights: Sequence[float], moves: Sequence[Sequence[float]]) -> list[Gap]:
        """The gaps of its agents; none where it was played in too few blocks."""
        items = sorted(set(self._items))
        if self._free < FEWEST_FREE or len(items) < 2:
            return []
        return [gap for item in items if (gap := self._gap(item, weights, moves))]

    def _gap(self, item: int, weights: Sequence[float], moves: Sequence[Sequence[float]]) -> Gap | None:
        """The gap of one agent. Its error allows for the fit, which follows the same matches."""
        mean, slopes = self._expects(item)
        if min(mean, 1 - mean) * self._matches < _FEWEST_EXPECTED:
            return None
        square = surplus = 0.0
        for number, (weight, move) in enumerate(zip(weights, moves, strict=True)):
            matches, wins = self._played.get(number, (0.0, {}))
            own = wins.get(item, 0.0) - matches * mean
            surplus += own
            square += weight * (own - sum(slope * move[place] for place, slope in slopes)) ** 2
        if square < _NOTHING * self._matches:
            return None
        lineup = tuple(self._names[one] for one in self._items)
        studentised = surplus / math.sqrt(square)
        return Gap(self._names[item], lineup, mean + surplus / self._matches, mean, studentised, self._free)

    def _expects(self, item: int) -> tuple[float, list[tuple[int, float]]]:
        """The expected share of wins, and how the expected number of wins moves with each parameter."""
        parameters, mean, covariance = self._expected.moments
        seats = [seat for seat, one in enumerate(self._items) if one == item]
        slopes = [self._matches * sum(covariance[seat][place] for seat in seats) for place in range(len(parameters))]
        return sum(mean[seat] for seat in seats), list(zip(parameters, slopes, strict=True))
