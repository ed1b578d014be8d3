"""Ratings of players whose strength is known."""

from __future__ import annotations

import math
import os
import random

import pytest

from games.statistics.deal_sums import PlacingStage, RatedMatch, places_of
from games.statistics.figures import t_quantile, t_tail
from games.statistics.pair_ratings import connected
from games.statistics.plackett_luce import POINTS, fit
from runner.standings.rating import rate
from tests.standings.simulated import matches

STRENGTHS = (0.6, 0.2, -0.2, -0.6)
THREE = (0.4, 0.0, -0.4)

MORE = 10 if "TABLETOP_CAMPAIGN" in os.environ else 1
"""How many times as often what rests on chance is tried."""


def test_the_order_is_recovered() -> None:
    rating = rate(matches(STRENGTHS, 25, random.Random(1), luck=0.5, seat=0.4), draws=200)
    assert [rated["agent"] for rated in rating.agents] == ["a0", "a1", "a2", "a3"]
    assert all(rated["ranks"][place] > 0.9 for place, rated in enumerate(rating.agents))
    assert rating.agents[0]["rating"]["value"] - rating.agents[3]["rating"]["value"] == pytest.approx(1.2 * POINTS, rel=0.15)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng, covered, total = random.Random(7), 0, 0
    for _ in range(60 * MORE):
        for rated in rate(matches(THREE, 12, rng), draws=0).agents:
            truth = 1500 + POINTS * THREE[int(rated["agent"][1:])]
            assert rated["rating"]["low"] is not None
            covered += rated["rating"]["low"] <= truth <= rated["rating"]["high"]
            total += 1
    assert 0.90 <= covered / total <= 0.99


def test_equal_agents_are_almost_never_declared_different() -> None:
    rng = random.Random(3)
    declared = [
        any(m["is_established"] for m in rate(matches((0.0, 0.0, 0.0), 10, rng, luck=1.0), 0).pairs) for _ in range(80 * MORE)
    ]
    assert sum(declared) <= 3 * MORE


def test_shared_deals_with_rotation_say_more_than_random_seats() -> None:
    def spread(shared: bool) -> float:
        rng = random.Random(5)
        gaps = []
        for _ in range(20 * MORE):
            agents = {
                rated["agent"]: rated["rating"]["value"]
                for rated in rate(matches((0.3, 0.0, -0.3), 8, rng, 2.0, 1.0, shared), 0).agents
            }
            gaps.append(agents["a0"] - agents["a2"])
        mean = sum(gaps) / len(gaps)
        return sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)

    assert spread(shared=False) / spread(shared=True) > 1.7


def test_the_fit_does_not_mind_the_order_of_matches_and_names() -> None:
    played = matches(STRENGTHS, 6, random.Random(2), luck=1.0)
    forward, backward = rate(played, 50), rate(played[::-1], 50)
    assert [r["agent"] for r in forward.agents] == [r["agent"] for r in backward.agents]
    for one, other in zip(forward.agents, backward.agents, strict=True):
        assert one["rating"]["value"] == pytest.approx(other["rating"]["value"])
        assert one["ranks"] == pytest.approx(other["ranks"])


def duels(wins: int, losses: int, ties: int) -> list[float]:
    """The strengths of two agents."""
    outcomes = {(0,): wins, (1,): losses, (0, 1): ties}
    return fit({PlacingStage("k", (0, 1), chosen, True): number for chosen, number in outcomes.items() if number}, 2).strengths


def test_ties_count_half_for_each() -> None:
    assert duels(30, 10, 20)[0] == pytest.approx(-duels(10, 30, 20)[0])
    assert duels(0, 0, 20) == pytest.approx((0, 0))
    assert duels(75, 25, 0)[0] == pytest.approx(math.log(3) / 2, rel=0.01)


def test_an_agent_that_never_loses_has_a_finite_rating() -> None:
    assert all(math.isfinite(value) for value in duels(500, 0, 0))


def test_agents_that_never_met_are_not_compared() -> None:
    groups = connected([(0, 1), (2, 3)], 4)
    assert groups[0] == groups[1] != groups[2] == groups[3]


def test_identical_agents_in_exact_rotation_are_level() -> None:
    played = [
        RatedMatch("k", str(deal), agents, (1, 2), (1.0, 0.0), (1.0, 0.0))
        for deal in range(10)
        for agents in (("a", "b"), ("b", "a"))
    ]
    (meeting,) = rate(played, 50).pairs
    assert not meeting["is_established"]
    assert meeting["difference"]["value"] == pytest.approx(0)


def test_an_anchor_keeps_its_rating() -> None:
    rating = rate(matches(STRENGTHS, 6, random.Random(2)), 50, ("a3", 1000.0))
    anchored = next(rated for rated in rating.agents if rated["agent"] == "a3")
    interval = anchored["rating"]
    assert anchored["rating"]["value"] == interval["low"] == interval["high"] == 1000


def test_few_deals_bring_no_interval() -> None:
    rating = rate(matches(STRENGTHS, 3, random.Random(2)))
    assert all(rated["rating"]["low"] is None for rated in rating.agents)
    assert not any(pair["is_established"] for pair in rating.pairs)


def test_places_follow_winners_then_scores() -> None:
    assert places_of([3, 9, 9, 1], [1, 2]) == (3, 1, 1, 4)
    assert places_of([5, 7, 2], [0]) == (1, 2, 3)
    assert places_of([1, 0, 0], [0]) == (1, 2, 2)


def test_quantiles_are_those_of_the_tables() -> None:
    assert t_quantile(0.975, 4) == pytest.approx(2.776, abs=1e-3)
    assert t_quantile(0.975, 19) == pytest.approx(2.093, abs=1e-3)
    assert t_quantile(0.005, 1) == pytest.approx(-63.657, abs=1e-2)
    assert t_tail(2.0930, 19) == pytest.approx(0.025, abs=1e-5)
    assert t_quantile(0.975, 1000) == pytest.approx(1.962, abs=1e-3)
