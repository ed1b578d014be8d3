"""Matches as vectors of counts that can be added up: one a deal, for drawing deals again and again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, Self

from runner.standings.davidson import Pair
from runner.standings.rated_match import Played

Vector = list[float]
_OUTCOMES = 3
_SUMS = 3


class Sums(NamedTuple):
    """How many matches, how many of them won, and the sum of the scores."""

    matches: float
    wins: float
    score: float

    @property
    def win_share(self) -> float:
        """Wins a match; 0 without a match."""
        return self.wins / self.matches if self.matches else 0.0

    @property
    def mean_score(self) -> float:
        """The score a match; 0 without a match."""
        return self.score / self.matches if self.matches else 0.0


class Layout:
    """Where each count stands in a vector: outcomes of each pair of agents, then sums of each agent, then of each seat."""

    def __init__(self, agents: Iterable[str], seats: Iterable[tuple[str, int]]) -> None:
        self.agents = tuple(sorted(set(agents)))
        self.seats = tuple(sorted(set(seats)))
        self.pairs = tuple(combinations(range(len(self.agents)), 2))
        self._number = {agent: number for number, agent in enumerate(self.agents)}
        self._pair_at = {pair: place * _OUTCOMES for place, pair in enumerate(self.pairs)}
        self._agents_at = len(self.pairs) * _OUTCOMES
        self._seats_at = self._agents_at + len(self.agents) * _SUMS
        self._seat_at = {seat: self._seats_at + place * _SUMS for place, seat in enumerate(self.seats)}
        self.size = self._seats_at + len(self.seats) * _SUMS

    @classmethod
    def of(cls, matches: Sequence[Played]) -> Self:
        """A layout with room for these matches."""
        seats = {(match.kind, seat) for match in matches for seat in range(len(match.agents))}
        return cls((agent for match in matches for agent in match.agents), seats)

    def vector(self, matches: Iterable[Played]) -> Vector:
        """The counts of some matches."""
        vector = [0.0] * self.size
        for match in matches:
            self.add(vector, match)
        return vector

    def add(self, vector: Vector, match: Played) -> None:
        """Count one more match."""
        numbers = [self._number[agent] for agent in match.agents]
        for one, other in combinations(range(len(numbers)), 2):
            if numbers[one] != numbers[other]:
                low, high = (one, other) if numbers[one] < numbers[other] else (other, one)
                at = self._pair_at[numbers[low], numbers[high]]
                ahead = match.places[high] - match.places[low]
                vector[at + (0 if ahead > 0 else 1 if ahead < 0 else 2)] += 1
        for seat, number in enumerate(numbers):
            for at in (self._agents_at + number * _SUMS, self._seat_at[match.kind, seat]):
                vector[at] += 1
                vector[at + 1] += match.wins[seat]
                vector[at + 2] += match.scores[seat]

    def outcomes(self, vector: Vector) -> list[Pair]:
        """How each pair of agents fared."""
        return [Pair(i, j, *vector[at : at + _OUTCOMES]) for (i, j), at in self._pair_at.items()]

    def of_agents(self, vector: Vector) -> list[Sums]:
        """The sums of each agent."""
        return [Sums(*vector[at : at + _SUMS]) for at in range(self._agents_at, self._seats_at, _SUMS)]

    def of_seats(self, vector: Vector) -> list[Sums]:
        """The sums of each seat of each kind of match."""
        return [Sums(*vector[at : at + _SUMS]) for at in range(self._seats_at, self.size, _SUMS)]
