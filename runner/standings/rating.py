"""Ratings with intervals: strengths fitted to all matches, and how far they move with the deals."""

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from games.statistics.deal_sums import Counts, RatedMatch, placing_of, rated_match
from games.statistics.document_types import FigureData, RatedAgent
from games.statistics.figures import bounded, student
from games.statistics.pair_ratings import PairPower, SequentialStandard, Standard, pair_ratings, quantiles, seat_information
from games.statistics.plackett_luce import POINTS, PRIOR, Matrix, Prior, diagonal, factor, product, solve
from games.statistics.strengths import MEAN, Anchor, Rating, Strengths, combined
from runner.arena.schedule import Fixture, kind_of
from runner.match.records import ResultRecord

_SAME = 1e-9


def rank_shares(ratings: Sequence[float], covariances: Matrix, free: int, draws: int) -> list[list[float]]:
    """For each agent the share of draws in which it has each rank; agents with equal ratings share their ranks."""
    counts = [[0.0] * len(ratings) for _ in ratings]
    for errors in _drawn(covariances, free, draws):
        _rank([rating + error for rating, error in zip(ratings, errors, strict=True)], counts)
    return [[count / draws for count in row] for row in counts]


def _drawn(covariances: Matrix, free: int, times: int) -> Iterator[list[float]]:
    rng, lower, size = random.Random(0), factor(covariances), range(len(covariances))
    for _ in range(times):
        scale = math.sqrt(rng.gammavariate(free / 2, 2 / free))
        yield [error / scale for error in product(lower, [rng.gauss(0, 1) for _ in size])]


def _rank(drawn: Sequence[float], counts: Matrix) -> None:
    order = sorted(range(len(drawn)), key=drawn.__getitem__, reverse=True)
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or drawn[order[start]] - drawn[order[end]] > _SAME:
            for agent in order[start:end]:
                for rank in range(start, end):
                    counts[agent][rank] += 1 / (end - start)
            start = end


DRAWS = 1000


def rate(
    matches: Sequence[RatedMatch],
    draws: int = DRAWS,
    anchor: Anchor | None = None,
    is_sequential: bool = False,
    agents: Iterable[str] = (),
) -> Rating:
    """The ratings of all agents, over all kinds of match. Without an anchor their mean is 1500. `draws` are those for ranks.
    With `is_sequential` the intervals of pairs hold at every number of deals. `agents` may have some that played no match."""
    counts = Counts(matches, agents)
    blocks, size = counts.blocks, len(counts.agents)
    found = (Strengths.of if len(counts.kinds) == 1 else combined)(counts, anchor)
    shares = rank_shares(found.ratings, found.covariances, blocks.free, draws) if draws and blocks.has_errors else [[]] * size
    order = sorted(range(size), key=lambda number: -found.ratings[number])
    standard = (SequentialStandard if is_sequential else Standard)(max(1, size * (size - 1) // 2))
    return Rating(
        [_agent(counts, found, number, shares[number], anchor) for number in order],
        list(pair_ratings(counts, found, standard)),
        [{"kind": seat[0], "seat": seat[1], **counts.results(counts.of_seats, seat)} for seat in sorted(counts.of_seats.keys)],
        len(matches),
        len(counts.deals),
        blocks.free,
        found.quality,
        found.spread,
    )


def _agent(counts: Counts, found: Strengths, number: int, ranks: list[float], anchor: Anchor | None) -> RatedAgent:
    agent, value = counts.agents[number], found.ratings[number]
    rating = student(value, found.covariances[number][number] ** 0.5, counts.free(number))
    is_fixed = anchor is not None and anchor[0] == agent and counts.blocks.has_errors
    return {
        "agent": agent,
        "rating": bounded(value, value, value) if is_fixed else rating,
        "ranks": ranks,
        "by_kind": {kind: own for (kind, one), own in found.by_kind.items() if one == number},
        **counts.results(counts.of_agents, number),
    }


class LiveRatings:
    """The matches of each game and number of players that have ended; `fixtures` are all that may end."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        self._agents: dict[str, set[str]] = {}
        self._matches: dict[str, list[RatedMatch]] = {}
        for fixture in fixtures:
            self._agents.setdefault(_table(fixture), set()).update(entrant.name for entrant in fixture.seats)

    def add(self, fixture: Fixture, result: ResultRecord) -> None:
        agents = (entrant.name for entrant in fixture.seats)
        struck = (number for number, seat in enumerate(result["seats"]) if seat["penalties"])
        deal, placing = (kind_of(fixture), str(fixture.seed)), placing_of(fixture.game)
        match = rated_match(deal, agents, result["scores"], result["winners"], struck, placing)
        self._matches.setdefault(_table(fixture), []).append(match)

    def ratings(self) -> dict[str, Rating]:
        return {table: rate(matches, 0, agents=self._agents[table]) for table, matches in self._matches.items()}


def _table(fixture: Fixture) -> str:
    return f"{fixture.game} with {len(fixture.seats)} players"


_FIXED = 1e9
"""The precision of the prior of a rating that stays fixed: matches move it by less than a thousandth of a point."""


def anchored_rating(matches: Sequence[RatedMatch], agent: str, held: Mapping[str, float]) -> FigureData:
    """The rating of `agent` against opponents with the ratings `held`, with its interval over deals. The scale is that of all
    ratings: 1500 is a log strength of 0, which is also the mean of the agent's weak prior."""
    counts = Counts(matches)
    number = counts.agents.index(agent)
    precision = diagonal([PRIOR if one == agent else _FIXED for one in counts.agents])
    prior = Prior(precision, [0.0 if one == agent else (held[one] - MEAN) / POINTS for one in counts.agents])
    found = Strengths.of(counts, next(iter(held.items())), prior)
    return student(found.ratings[number], math.sqrt(found.covariances[number][number]), counts.blocks.free)


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
