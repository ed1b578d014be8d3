"""Count matrix: matches as counts that can be added up, a row for each deal, for bootstrap samples of deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, Self

from runner.standings.davidson import Pair
from runner.standings.rated_match import RatedMatch

Vector = list[float]
Deal = tuple[str, str]
"""The kind of match and the name of the deal."""

_OUTCOMES = 3
_TOTALS = 3


class Totals(NamedTuple):
    """The number of matches and of wins, and the sum of the scores."""

    matches: float
    wins: float
    score: float

    @property
    def win_share(self) -> float:
        """Wins per match; 0 without a match."""
        return self.wins / self.matches if self.matches else 0.0

    @property
    def mean_score(self) -> float:
        """Score per match; 0 without a match."""
        return self.score / self.matches if self.matches else 0.0


class CountMatrix:
    """A row for each deal; columns are the outcomes of each pair of agents, totals of each agent, totals of each seat."""

    def __init__(self, agents: Iterable[str], seats: Iterable[tuple[str, int]]) -> None:
        self.agents = tuple(sorted(set(agents)))
        self.seats = tuple(sorted(set(seats)))
        self.rows: dict[Deal, Vector] = {}
        pairs = combinations(range(len(self.agents)), 2)
        self._number = {agent: number for number, agent in enumerate(self.agents)}
        self._pair_at = {pair: place * _OUTCOMES for place, pair in enumerate(pairs)}
        self._agents_at = len(self._pair_at) * _OUTCOMES
        self._seats_at = self._agents_at + len(self.agents) * _TOTALS
        self._seat_at = {seat: self._seats_at + place * _TOTALS for place, seat in enumerate(self.seats)}
        self._size = self._seats_at + len(self.seats) * _TOTALS

    @classmethod
    def of(cls, matches: Sequence[RatedMatch]) -> Self:
        """The matrix of some matches."""
        seats = {(match.kind, seat) for match in matches for seat in range(len(match.agents))}
        matrix = cls((agent for match in matches for agent in match.agents), seats)
        for match in matches:
            matrix.add(match)
        return matrix

    def add(self, match: RatedMatch) -> None:
        """Count a match in the row of its deal."""
        row = self.rows.setdefault((match.kind, match.deal), [0.0] * self._size)
        numbers = [self._number[agent] for agent in match.agents]
        for one, other in combinations(range(len(numbers)), 2):
            if numbers[one] != numbers[other]:
                low, high = (one, other) if numbers[one] < numbers[other] else (other, one)
                at = self._pair_at[numbers[low], numbers[high]]
                ahead = match.places[high] - match.places[low]
                row[at + (0 if ahead > 0 else 1 if ahead < 0 else 2)] += 1
        for seat, number in enumerate(numbers):
            for at in (self._agents_at + number * _TOTALS, self._seat_at[match.kind, seat]):
                row[at] += 1
                row[at + 1] += match.wins[seat]
                row[at + 2] += match.scores[seat]

    def outcomes(self, vector: Vector) -> list[Pair]:
        """The outcomes of each pair of agents in a sum of rows."""
        return [Pair(i, j, *vector[at : at + _OUTCOMES]) for (i, j), at in self._pair_at.items()]

    def of_agents(self, vector: Vector) -> list[Totals]:
        """The totals of each agent in a sum of rows."""
        return [Totals(*vector[at : at + _TOTALS]) for at in range(self._agents_at, self._seats_at, _TOTALS)]

    def of_seats(self, vector: Vector) -> list[Totals]:
        """The totals of each seat of each kind of match in a sum of rows."""
        return [Totals(*vector[at : at + _TOTALS]) for at in range(self._seats_at, self._size, _TOTALS)]
