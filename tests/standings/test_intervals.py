"""Intervals of simulated tournaments; `python -m tools.campaigns.rating_simulations` measures them by the thousand."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.statistics.adjusted import Luck, adjusted
from games.statistics.deal_sums import DealBlocks, Parts, RatedMatch, effective_free, places_of
from games.statistics.figures import beta_below, bounded, share, student, t_tail, within
from games.statistics.fit_quality import pairing_effects
from games.statistics.pair_ratings import ESTABLISHED, SequentialStandard, Standard
from runner.standings.game_document import forfeits
from runner.standings.rating import rate
from runner.standings.studies import regrets
from tools.campaigns.rating_fields import Field
from tools.campaigns.rating_simulations import coverage, spread_ratio

UNEQUAL = Field((0.0, 0.0, 1.0), 3, "winners", 3)
EQUAL = Field((0.0,) * 8, 4, "winners", 2)


def test_simulated_ratings_are_as_wide_as_the_truth() -> None:
    assert spread_ratio(UNEQUAL._replace(rounds=1), 1000, 0) == pytest.approx(1, abs=0.12)


def test_intervals_hold_from_ten_deals_on() -> None:
    found = coverage(UNEQUAL, 10, 50)
    assert 0.9 <= found.ratings <= 0.99
    assert 0.9 <= found.pairs <= 0.99
    assert found.together >= 0.92


def test_an_agent_that_never_wins_has_a_wide_interval() -> None:
    """Each deal tells the same of it, so the deals alone would leave no error at all."""
    matches = [match for match in UNEQUAL.tournament(12, random.Random(1)) if match.wins[match.agents.index("a0")] == 0]
    lowest = rate(matches, 0).agents[-1]
    assert lowest["agent"] == "a0"
    assert lowest["rating"]["high"] - lowest["rating"]["low"] > 300


def test_eight_equal_agents_are_hardly_ever_told_apart() -> None:
    assert coverage(EQUAL, 10, 12).established <= 0.1


def test_an_interval_leaves_out_zero_where_a_difference_is_established() -> None:
    pairs = [pair for seed in range(3) for pair in rate(list(UNEQUAL.tournament(12, random.Random(seed))), 0).pairs]
    assert {pair["is_established"] for pair in pairs} == {True, False}
    for pair in pairs:
        assert pair["is_established"] == (pair["difference"]["low"] > 0) == (pair["chance"] < ESTABLISHED)


@settings(max_examples=20)
@given(st.integers(1, 500), st.integers(9, 250))
def test_chance_and_reach_are_one_standard(pairs: int, free: int) -> None:
    for standard in (Standard(pairs), SequentialStandard(pairs)):
        reach = standard.reach(free, free + 1)
        assert standard.chance(reach, free, free + 1) == pytest.approx(ESTABLISHED, rel=1e-3)


def test_sequential_intervals_are_wider_and_begin_at_ten_deals() -> None:
    fixed, sequential = Standard(3), SequentialStandard(3)
    assert sequential.reach(8, 9) == float("inf")
    assert sequential.chance(100.0, 8, 9) == 1.0
    for deals in (10, 50, 200, 2000):
        assert 1.2 < sequential.reach(min(249, deals - 1), deals) / fixed.reach(min(249, deals - 1), deals) < 1.9


def test_an_agent_of_few_deals_has_few_degrees_of_freedom() -> None:
    assert effective_free([6.0] * 10, 9) == 9
    assert effective_free([6.0] * 5 + [0.0] * 20, 24) == 4
    assert effective_free([0.0] * 5, 4) == 0
    assert effective_free([100.0, 1.0, 1.0, 1.0], 3) == 0


@given(st.floats(0, 1), st.floats(0, 1), st.integers(5, 10_000), st.integers(5, 100))
@settings(max_examples=40)
def test_bounds_of_a_share_are_shares_and_not_the_share_itself(value: float, error: float, number: int, deals: int) -> None:
    bounds = share(value, error, max(number, deals), deals, deals - 1)
    assert bounds["low"] is not None
    assert bounds["high"] is not None
    assert 0 <= bounds["low"] <= value + 1e-9
    assert value - 1e-9 <= bounds["high"] <= 1
    assert bounds["low"] < bounds["high"]


def test_the_beta_distribution_and_student_s_are_those_of_the_tables() -> None:
    """The median of a symmetric one; the binomial sum P(X >= 3) of 10 at 0.2; 5 % points of Student's t."""
    assert beta_below(0.5, 7.5, 7.5) == pytest.approx(0.5)
    binomial = sum(math.comb(10, hits) * 0.2**hits * 0.8 ** (10 - hits) for hits in range(3, 11))
    assert beta_below(0.2, 3, 8) == pytest.approx(binomial, rel=1e-9)
    assert (beta_below(0.0, 2, 3), beta_below(1.0, 2, 3)) == (0, 1)
    assert t_tail(2.131847, 4) == pytest.approx(0.05, abs=1e-6)


def covered(shares: Sequence[float], deals: int) -> list[float]:
    """The exact probability that the interval of a share holds, for an agent with each of these true shares, over two matches a
    deal, each for itself: over all numbers of deals of which it wins none, one and both matches."""
    found = [0.0] * len(shares)
    for won in combinations_with_replacement(range(3), deals):
        times = Counter(won)
        ways = math.factorial(deals) // math.prod(map(math.factorial, times.values()))
        held = Parts([[2.0, float(wins)] for wins in won], DealBlocks.of(DEALS[:deals])).share(1, 0)
        for number, true in enumerate(shares):
            if held["low"] <= true <= held["high"]:
                found[number] += ways * math.prod(
                    (math.comb(2, wins) * true**wins * (1 - true) ** (2 - wins)) ** among for wins, among in times.items()
                )
    return found


DEALS = [("k", f"{deal:02}") for deal in range(50)]


@pytest.mark.parametrize("deals", [5, 8])
def test_shares_cover_what_is_true_as_often_as_they_say_exactly(deals: int) -> None:
    """Shares near 0 and 1 included, where the errors of deals alone cover 18 to 65 %."""
    assert min(covered((0.02, 0.1, 0.3, 0.5, 0.98), deals)) >= 0.95


@pytest.mark.parametrize("wins", [0.0, 24.0])
def test_an_agent_that_won_no_match_or_all_may_win_others(wins: float) -> None:
    found = Parts([[24.0, wins]] * 6, DealBlocks.of(DEALS[:6])).share(1, 0)
    assert found["value"] in (0, 1)
    assert found["high"] - found["low"] == pytest.approx(0.2, abs=0.02)


def test_a_difference_of_shares_leaves_room_where_both_are_sure() -> None:
    """Nobody won: Newcombe's interval of two shares without correlation."""
    blocks = DealBlocks.of(DEALS[:10])
    nothing = Parts([[4.0, 0.0]] * 10, blocks)
    found, error = nothing.difference(nothing, 1, 0)
    high = nothing.share(1, 0)["high"]
    assert (found["value"], error) == (0, 0)
    assert (found["low"], found["high"]) == pytest.approx((-high, high))
    half, won = Parts([[4.0, 2.0]] * 10, blocks), Parts([[4.0, 4.0]] * 10, blocks)
    found, _ = won.difference(half, 1, 0)
    assert 0 < found["low"] < 0.5 < found["high"] < 1


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    """The textbook figure: the standard deviation 1.5811 of 1 to 5, divided by the root of 5."""
    parts = Parts([[1.0, float(value)] for value in range(1, 6)], DealBlocks.of(DEALS[:5]))
    (error,) = parts.errors(lambda sums: [sums[1] / sums[0]])
    assert error == pytest.approx(1.5811 / 5**0.5, abs=1e-4)
    bounds = parts.mean(1, 0)
    assert (bounds["low"], bounds["high"]) == pytest.approx((3 - 2.776 * error, 3 + 2.776 * error), abs=1e-3)


def test_values_that_are_all_alike_have_no_interval() -> None:
    assert student(3.0, 0.0, 9) == student(3.0, 1e-12, 9) == {"value": 3.0, "low": None, "high": None}


def matches_of(scores: Sequence[tuple[float, float]]) -> list[RatedMatch]:
    """Matches of two agents on deals of their own."""
    return [
        RatedMatch("k", f"{deal:02}", ("a", "b"), places_of(score, winners := [score.index(max(score))]), score, won(winners))
        for deal, score in enumerate(scores)
    ]


def won(winners: Sequence[int]) -> tuple[float, float]:
    return float(0 in winners), float(1 in winners)


def test_the_interval_of_a_score_stays_within_the_scores_of_the_matches() -> None:
    rating = rate(matches_of([(9.0, 0.0), (7.0, 1.0), *[(8.0, 0.0)] * 4]), 0)
    low = next(agent["mean_score"] for agent in rating.agents if agent["agent"] == "b")
    assert low["low"] == 0 < low["value"] < low["high"] < 1


def test_scores_of_0_and_1_are_the_wins_with_the_same_interval() -> None:
    for rated in rate(matches_of([(1.0, 0.0)] * 7 + [(0.0, 1.0)]), 0).agents:
        assert rated["mean_score"] == rated["win_share"]


def figures_in(data: Any) -> Iterator[dict[str, Any]]:
    """Every value with bounds in a document."""
    if isinstance(data, dict):
        if {"value", "low", "high"} <= set(data):
            yield data
        yield from (found for value in data.values() for found in figures_in(value))
    elif isinstance(data, list | tuple):
        yield from (found for value in data for found in figures_in(value))


def test_no_figure_of_matches_that_are_all_alike_claims_certainty() -> None:
    """One agent wins each match, alone or against its own kind, with and without another one struck out."""
    tables, deals = (("a", "b", "b"), ("b", "a", "b"), ("a", "a", "b"), ("c", "c", "a")), range(6)
    played = [
        RatedMatch("k", f"{deal}", table, tuple(1 + (agent != "a") for agent in table), own, own, struck)
        for deal in deals
        for table in tables
        for own in [tuple((agent == "a") / table.count("a") for agent in table)]
        for struck in ((), (0,) if table[0] != "a" else ())
    ]
    names, entry = ("a", "b", "b"), {"regret": 0.0, "best_share": 0.4, "grade": "best"}
    graded: Any = [(("k", str(deal)), names, [{**entry, "seat": seat} for seat in range(3)]) for deal in deals]
    rating = rate(played, 0)
    found = [
        *(rating.agents, rating.seats, rating.pairs, list(forfeits(played).values()), pairing_effects(played)),
        list(adjusted([(match, Luck((0.2, 0.3, 0.5), (0.0, 0.1, -0.1))) for match in played]).values()),
        list(regrets(graded, rating.agents).values()),
    ]
    assert all(any(True for _ in figures_in(one)) for one in found)
    for one in figures_in(found):
        assert one["low"] is None or one["low"] < one["high"], one
    assert all(agent["win_share"]["low"] is not None for agent in rating.agents)


def test_a_share_that_is_estimated_below_0_is_0() -> None:
    assert within(bounded(-0.05, -0.13, 0.035), 0, 1) == {"value": 0, "low": 0, "high": 0.035}
    assert within(bounded(1.2), 0, 1) == {"value": 1, "low": None, "high": None}
