"""Ratings with intervals: strengths fitted to all matches, and how far they vary over bootstrap samples of the deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runner.standings.bootstrap import FEWEST_FREE, Blocks, Interval, blocks_of, interval, standard_error
from runner.standings.count_matrix import CountMatrix, Totals
from runner.standings.davidson import Pair, connected, fit
from runner.standings.distributions import holm, t_tail
from runner.standings.rated_match import RatedMatch

POINTS = 400 / math.log(10)
"""Rating points for one unit of strength: as in chess, 400 points are odds of ten to one."""

Anchor = tuple[str, float]
"""An agent and the rating it is fixed at."""

MEAN = 1500.0
DRAWS = 1000
ESTABLISHED = 0.01
"""A difference is established when chance alone would bring it less often than this, corrected for the number of pairs."""


class Figure(NamedTuple):
    """A value and its interval; None with too few deals for one."""

    value: float
    interval: Interval | None


class AgentRating(NamedTuple):
    """One agent: its rating, the probability of each rank from first to last, its wins and scores."""

    agent: str
    rating: Figure
    ranks: tuple[float, ...]
    matches: int
    win_share: Figure
    mean_score: Figure


class PairRating(NamedTuple):
    """Two agents: their outcomes at the same tables, the difference of their ratings, and whether it is established."""

    first: str
    second: str
    outcome: Pair
    difference: Figure
    error: float
    chance: float
    is_established: bool
    have_met: bool


class SeatRating(NamedTuple):
    """A seat of a kind of match: the results of all who sat there."""

    kind: str
    seat: int
    matches: int
    win_share: Figure
    mean_score: Figure


@dataclass(frozen=True, slots=True)
class Rating:
    """The ratings of a set of matches, best agent first. `free` is the degrees of freedom of the intervals."""

    agents: tuple[AgentRating, ...]
    pairs: tuple[PairRating, ...]
    seats: tuple[SeatRating, ...]
    matches: int
    deals: int
    free: int


def rate(matches: Sequence[RatedMatch], draws: int = DRAWS, anchor: Anchor | None = None) -> Rating:
    """The ratings of all agents. Without an anchor their mean is 1500."""
    return rate_matrix(CountMatrix.of(matches), draws, anchor)


def rate_matrix(matrix: CountMatrix, draws: int = DRAWS, anchor: Anchor | None = None) -> Rating:
    """The same from the counts of each deal."""
    return _Computation(matrix, blocks_of(matrix.rows), draws, anchor).rating()


class _Computation:
    """The figures of all matches, and of each bootstrap sample."""

    def __init__(self, matrix: CountMatrix, blocks: Blocks, draws: int, anchor: Anchor | None) -> None:
        self.matrix, self.blocks = matrix, blocks
        self.anchor = None if anchor is None else matrix.agents.index(anchor[0])
        self.base = MEAN if anchor is None else anchor[1]
        total = blocks.total
        self.outcomes = matrix.outcomes(total)
        self.agent_totals, self.seat_totals = matrix.of_agents(total), matrix.of_seats(total)
        strengths = fit(self.outcomes, len(matrix.agents))
        self.ratings = self._ratings(strengths.values)
        self.drawn: list[tuple[float, ...]] = []
        self.drawn_agents: list[list[Totals]] = []
        self.drawn_seats: list[list[Totals]] = []
        for vector in blocks.draws(draws if blocks.free >= FEWEST_FREE else 0):
            again = fit(matrix.outcomes(vector), len(matrix.agents), strengths)
            self.drawn.append(self._ratings(again.values))
            self.drawn_agents.append(matrix.of_agents(vector))
            self.drawn_seats.append(matrix.of_seats(vector))

    def _ratings(self, values: Sequence[float]) -> tuple[float, ...]:
        zero = 0.0 if self.anchor is None else values[self.anchor]
        return tuple(self.base + POINTS * (value - zero) for value in values)

    def rating(self) -> Rating:
        """All of it."""
        order = sorted(range(len(self.matrix.agents)), key=lambda number: -self.ratings[number])
        ranks = self._ranks()
        first_seats = zip(self.matrix.seats, self.seat_totals, strict=True)
        matches = round(sum(totals.matches for (_, seat), totals in first_seats if seat == 0))
        agents = tuple(self._agent(number, ranks[number]) for number in order)
        return Rating(agents, self._pairs(order), self._seats(), matches, len(self.matrix.rows), self.blocks.free)

    def _figure(self, value: float, drawn: Sequence[float]) -> Figure:
        return Figure(value, interval(drawn, self.blocks) if drawn else None)

    def _agent(self, number: int, ranks: tuple[float, ...]) -> AgentRating:
        totals = self.agent_totals[number]
        return AgentRating(
            self.matrix.agents[number],
            self._figure(self.ratings[number], [draw[number] for draw in self.drawn]),
            ranks,
            round(totals.matches),
            self._figure(totals.win_share, [draw[number].win_share for draw in self.drawn_agents]),
            self._figure(totals.mean_score, [draw[number].mean_score for draw in self.drawn_agents]),
        )

    def _ranks(self) -> list[tuple[float, ...]]:
        """The share of samples in which each agent has each rank; agents with equal ratings share their ranks."""
        agents = len(self.matrix.agents)
        counts = [[0.0] * agents for _ in range(agents)]
        for draw in self.drawn:
            for number, own in enumerate(draw):
                above = sum(other > own + 1e-9 for other in draw)
                level = sum(abs(other - own) <= 1e-9 for other in draw)
                for rank in range(above, above + level):
                    counts[number][rank] += 1 / level
        return [tuple(count / len(self.drawn) for count in row) if self.drawn else () for row in counts]

    def _seats(self) -> tuple[SeatRating, ...]:
        found = []
        for place, (kind, seat) in enumerate(self.matrix.seats):
            totals = self.seat_totals[place]
            wins = self._figure(totals.win_share, [draw[place].win_share for draw in self.drawn_seats])
            score = self._figure(totals.mean_score, [draw[place].mean_score for draw in self.drawn_seats])
            found.append(SeatRating(kind, seat, round(totals.matches), wins, score))
        return tuple(found)

    def _pairs(self, order: Sequence[int]) -> tuple[PairRating, ...]:
        group = connected(self.outcomes, len(self.matrix.agents))
        found = [self._pair(i, j, pair, group) for (i, j), pair in self._by_rating(order)]
        corrected = holm([pair.chance for pair in found])
        return tuple(
            pair._replace(chance=chance, is_established=pair.have_met and chance < ESTABLISHED)
            for pair, chance in zip(found, corrected, strict=True)
        )

    def _by_rating(self, order: Sequence[int]) -> list[tuple[tuple[int, int], Pair]]:
        """Every pair of agents, the better one first, with its outcomes."""
        at = {(pair.first, pair.second): pair for pair in self.outcomes}
        turned = {(p.second, p.first): Pair(p.second, p.first, p.losses, p.wins, p.ties) for p in self.outcomes}
        pairs = [(i, j) for place, i in enumerate(order) for j in order[place + 1 :]]
        return [(pair, (at | turned)[pair]) for pair in pairs]

    def _pair(self, i: int, j: int, pair: Pair, group: list[int]) -> PairRating:
        value = self.ratings[i] - self.ratings[j]
        drawn = [draw[i] - draw[j] for draw in self.drawn]
        error = standard_error(drawn, self.blocks) if drawn else math.inf
        have_met = group[i] == group[j]
        agents = self.matrix.agents
        chance = _chance(value, error, self.blocks.free)
        return PairRating(agents[i], agents[j], pair, self._figure(value, drawn), error, chance, False, have_met)


def _chance(value: float, error: float, free: int) -> float:
    """The probability that chance alone brings a difference as large, by Student's t."""
    if free < FEWEST_FREE or abs(value) < 1e-6:
        return 1.0
    return 0.0 if error < 1e-9 else min(1.0, 2 * t_tail(abs(value) / error, free))
