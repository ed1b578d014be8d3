"""Intervals of simulated tournaments; `python -m tests.campaigns.rating_simulations` measures them by the thousand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.standings.figures import effective_free, figure, ratio_error, share
from runner.standings.rating import ESTABLISHED, SequentialStandard, Standard, rate
from tests.campaigns.rating_fields import Field
from tests.campaigns.rating_simulations import coverage, spread_ratio

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


@given(st.floats(0.001, 0.999), st.floats(0, 1), st.integers(4, 100))
def test_bounds_of_a_share_are_shares(value: float, error: float, free: int) -> None:
    bounds = share(value, error, free)
    assert bounds["low"] is not None
    assert bounds["high"] is not None
    assert 0 <= bounds["low"] <= value + 1e-9
    assert value - 1e-9 <= bounds["high"] <= 1


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    """The textbook figure: the standard deviation 1.5811 of 1 to 5, divided by the root of 5."""
    error = ratio_error([1.0, 2.0, 3.0, 4.0, 5.0], [1.0] * 5, [0.8] * 5)
    assert error == pytest.approx(1.5811 / 5**0.5, abs=1e-4)
    bounds = figure(3.0, error, 4)
    assert (bounds["low"], bounds["high"]) == pytest.approx((3 - 2.776 * error, 3 + 2.776 * error), abs=1e-3)
