"""Ratings with intervals: strengths fitted to all matches, and how far they move with the deals."""

from __future__ import annotations

from collections.abc import Sequence

from runner.standings.combined import combined
from runner.standings.deal_counts import Counts, Totals
from runner.standings.deal_sample import DealSample
from runner.standings.figures import figure
from runner.standings.pair_ratings import Basis, pair_ratings
from runner.standings.rank_shares import rank_shares
from runner.standings.rated_match import RatedMatch
from runner.standings.rating_types import AgentRating, Anchor, Rating, SeatRating
from runner.standings.standard import SequentialStandard, Standard
from runner.standings.strengths import Strengths

DRAWS = 1000


def rate(
    matches: Sequence[RatedMatch], draws: int = DRAWS, anchor: Anchor | None = None, is_sequential: bool = False
) -> Rating:
    """The ratings of all agents, over all kinds of match. Without an anchor their mean is 1500.

    `draws` are those for the probabilities of ranks. With `is_sequential` the intervals of pairs hold at every number of deals.
    """
    return rate_counts(Counts.of(matches), draws, anchor, is_sequential)


def rate_counts(counts: Counts, draws: int = DRAWS, anchor: Anchor | None = None, is_sequential: bool = False) -> Rating:
    """The same from the counts of each deal."""
    sample = DealSample.of(counts)
    is_combined = len({kind for kind, _ in counts.deals}) > 1
    found = combined(counts, sample, anchor) if is_combined else Strengths.of(sample, counts.agents, anchor)
    size = len(counts.agents)
    totals = [sample.of_agent(number) for number in range(size)]
    order = sorted(range(size), key=lambda number: -found.ratings[number])
    shares = rank_shares(found.ratings, found.covariances, sample.free, draws) if draws and sample.has_errors else [()] * size
    agents = (_agent(counts.agents[one], found, one, shares[one], sample, totals[one]) for one in order)
    basis = Basis([sample.free_of(one) for one in totals], sample.free, len(counts.deals))
    standard = (SequentialStandard if is_sequential else Standard)(max(1, size * (size - 1) // 2))
    pairs = pair_ratings(counts.agents, found, basis, counts.pairs, standard)
    numbers = counts.matches, len(counts.deals), sample.free
    return Rating(tuple(agents), tuple(pairs), _seats(sample), *numbers, found.quality, found.kinds)


def _agent(
    agent: str, found: Strengths, number: int, shares: tuple[float, ...], sample: DealSample, totals: Sequence[Totals]
) -> AgentRating:
    error = found.covariances[number][number] ** 0.5
    return AgentRating(
        agent,
        figure(found.ratings[number], error, sample.free_of(totals)),
        shares,
        round(sum(one.matches for one in totals)),
        sample.win_share(totals),
        sample.mean_score(totals),
        {kind: value for (kind, one), value in found.kinds.ratings.items() if one == number} if found.kinds else {},
    )


def _seats(sample: DealSample) -> tuple[SeatRating, ...]:
    found = []
    for kind, seat in sorted(sample.whole.seats):
        totals = sample.of_seat(kind, seat)
        matches = round(sum(one.matches for one in totals))
        found.append(SeatRating(kind, seat, matches, sample.win_share(totals), sample.mean_score(totals)))
    return tuple(found)
