"""Ratings with all that is to be known about how sure they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runner.standings.bootstrap import FEWEST_FREE, Blocks, Interval, blocks_of, interval, standard_error
from runner.standings.count_matrix import Layout, Sums, Vector
from runner.standings.davidson import Pair, connected, fit
from runner.standings.distributions import holm, t_tail
from runner.standings.rated_match import Played

POINTS = 400 / math.log(10)
"""Rating points for one unit of strength: as in chess, 400 points are odds of ten to one."""

Anchor = tuple[str, float]
MEAN = 1500.0
DRAWS = 1000
ESTABLISHED = 0.01
"""A difference is established when, all pairs looked at together, chance alone would bring it less often than this."""


class Figure(NamedTuple):
    """A figure and its interval, where there are deals enough for one."""

    value: float
    interval: Interval | None


class Rated(NamedTuple):
    """One agent: its rating, the probability of each rank from the first to the last, its wins and scores."""

    agent: str
    rating: Figure
    ranks: tuple[float, ...]
    matches: int
    win_share: Figure
    mean_score: Figure


class Meeting(NamedTuple):
    """Two agents: how they fared at the same tables, the difference of their ratings, and whether it is established."""

    first: str
    second: str
    outcome: Pair
    difference: Figure
    error: float
    chance: float
    is_established: bool
    have_met: bool


class SeatSums(NamedTuple):
    """A seat of a kind of match: who sits there does so well."""

    kind: str
    seat: int
    matches: int
    win_share: Figure
    mean_score: Figure


@dataclass(frozen=True, slots=True)
class Rating:
    """What a set of matches says about those who played them. `deals` counts deals, `free` what intervals rest on."""

    agents: tuple[Rated, ...]
    meetings: tuple[Meeting, ...]
    seats: tuple[SeatSums, ...]
    matches: int
    deals: int
    free: int


def rate(matches: Sequence[Played], draws: int = DRAWS, anchor: Anchor | None = None) -> Rating:
    """Ratings of all who took part, the best first. `anchor` is an agent and the rating it is to have; without one the
    mean is 1500."""
    layout, deals = Layout.of(matches), dict[tuple[str, str], Vector]()
    for match in matches:
        layout.add(deals.setdefault((match.kind, match.deal), layout.vector(())), match)
    return rate_deals(layout, deals, draws, anchor)


def rate_deals(
    layout: Layout, deals: Mapping[tuple[str, str], Vector], draws: int = DRAWS, anchor: Anchor | None = None
) -> Rating:
    """The same from the counts of each deal, given by kind and name."""
    work = _Work(layout, blocks_of(deals), draws, anchor)
    return work.rating(len(deals))


class _Work:
    """The figures of all matches, and of each draw of blocks."""

    def __init__(self, layout: Layout, blocks: Blocks, draws: int, anchor: Anchor | None) -> None:
        self.layout, self.blocks = layout, blocks
        self.anchor = None if anchor is None else layout.agents.index(anchor[0])
        self.base = MEAN if anchor is None else anchor[1]
        total = blocks.total
        self.outcomes = layout.outcomes(total)
        self.sums, self.seat_sums = layout.of_agents(total), layout.of_seats(total)
        strengths = fit(self.outcomes, len(layout.agents))
        self.ratings = self._ratings(strengths.values)
        self.drawn: list[tuple[float, ...]] = []
        self.drawn_sums: list[list[Sums]] = []
        self.drawn_seats: list[list[Sums]] = []
        for vector in blocks.draws(draws if blocks.free >= FEWEST_FREE else 0):
            again = fit(layout.outcomes(vector), len(layout.agents), strengths)
            self.drawn.append(self._ratings(again.values))
            self.drawn_sums.append(layout.of_agents(vector))
            self.drawn_seats.append(layout.of_seats(vector))

    def _ratings(self, values: Sequence[float]) -> tuple[float, ...]:
        zero = 0.0 if self.anchor is None else values[self.anchor]
        return tuple(self.base + POINTS * (value - zero) for value in values)

    def rating(self, deals: int) -> Rating:
        """All of it."""
        order = sorted(range(len(self.layout.agents)), key=lambda number: -self.ratings[number])
        ranks = self._ranks()
        matches = round(
            sum(sums.matches for (_, seat), sums in zip(self.layout.seats, self.seat_sums, strict=True) if seat == 0)
        )
        agents = tuple(self._rated(number, ranks[number]) for number in order)
        return Rating(agents, self._meetings(order), self._seats(), matches, deals, self.blocks.free)

    def _figure(self, value: float, drawn: Sequence[float]) -> Figure:
        return Figure(value, interval(drawn, self.blocks) if drawn else None)

    def _rated(self, number: int, ranks: tuple[float, ...]) -> Rated:
        sums = self.sums[number]
        return Rated(
            self.layout.agents[number],
            self._figure(self.ratings[number], [draw[number] for draw in self.drawn]),
            ranks,
            round(sums.matches),
            self._figure(sums.win_share, [draw[number].win_share for draw in self.drawn_sums]),
            self._figure(sums.mean_score, [draw[number].mean_score for draw in self.drawn_sums]),
        )

    def _ranks(self) -> list[tuple[float, ...]]:
        """The share of draws in which each agent has each rank; those who are level share their ranks."""
        agents = len(self.layout.agents)
        counts = [[0.0] * agents for _ in range(agents)]
        for draw in self.drawn:
            for number, own in enumerate(draw):
                above = sum(other > own + 1e-9 for other in draw)
                level = sum(abs(other - own) <= 1e-9 for other in draw)
                for rank in range(above, above + level):
                    counts[number][rank] += 1 / level
        return [tuple(count / len(self.drawn) for count in row) if self.drawn else () for row in counts]

    def _seats(self) -> tuple[SeatSums, ...]:
        found = []
        for place, (kind, seat) in enumerate(self.layout.seats):
            sums = self.seat_sums[place]
            wins = self._figure(sums.win_share, [draw[place].win_share for draw in self.drawn_seats])
            score = self._figure(sums.mean_score, [draw[place].mean_score for draw in self.drawn_seats])
            found.append(SeatSums(kind, seat, round(sums.matches), wins, score))
        return tuple(found)

    def _meetings(self, order: Sequence[int]) -> tuple[Meeting, ...]:
        group = connected(self.outcomes, len(self.layout.agents))
        found = [self._meeting(i, j, pair, group) for (i, j), pair in self._by_rating(order)]
        corrected = holm([meeting.chance for meeting in found])
        return tuple(
            meeting._replace(chance=chance, is_established=meeting.have_met and chance < ESTABLISHED)
            for meeting, chance in zip(found, corrected, strict=True)
        )

    def _by_rating(self, order: Sequence[int]) -> list[tuple[tuple[int, int], Pair]]:
        """Every pair of agents, the better one first, with its outcomes."""
        at = {(pair.first, pair.second): pair for pair in self.outcomes}
        turned = {(p.second, p.first): Pair(p.second, p.first, p.losses, p.wins, p.ties) for p in self.outcomes}
        pairs = [(i, j) for place, i in enumerate(order) for j in order[place + 1 :]]
        return [(pair, (at | turned)[pair]) for pair in pairs]

    def _meeting(self, i: int, j: int, pair: Pair, group: list[int]) -> Meeting:
        value = self.ratings[i] - self.ratings[j]
        drawn = [draw[i] - draw[j] for draw in self.drawn]
        error = standard_error(drawn, self.blocks) if drawn else math.inf
        have_met = group[i] == group[j]
        agents = self.layout.agents
        chance = _chance(value, error, self.blocks.free)
        return Meeting(agents[i], agents[j], pair, self._figure(value, drawn), error, chance, False, have_met)


def _chance(value: float, error: float, free: int) -> float:
    """How often chance alone would bring a difference as large, by Student's t."""
    if free < FEWEST_FREE or abs(value) < 1e-6:
        return 1.0
    return 0.0 if error < 1e-9 else min(1.0, 2 * t_tail(abs(value) / error, free))
