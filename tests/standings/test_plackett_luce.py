"""The Plackett-Luce fit against independent fits, and the truths that it has to find."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import Placing
from games.statistics.deal_sums import PlacingStage, RatedMatch, choices_of
from games.statistics.plackett_luce import POINTS, bias_reduced, fit

Placings = Mapping[tuple[tuple[int, ...], ...], float]
"""How often each placing happened: groups of agents from first to last."""

WINNERS: Placings = {
    ((0,), (1, 2)): 14,
    ((1,), (0, 2)): 9,
    ((2,), (0, 1)): 4,
    ((0,), (1, 3)): 11,
    ((1,), (0, 3)): 8,
    ((3,), (0, 1)): 2,
    ((3,), (1, 2)): 6,
    ((1,), (2, 3)): 7,
    ((2,), (1, 3)): 5,
}
TIES: Placings = {
    ((0,), (1,), (2,), (3,)): 9,
    ((0,), (1, 2), (3,)): 6,
    ((2,), (0,), (1, 3)): 4,
    ((1,), (0, 2, 3)): 3,
    ((0, 1), (2,), (3,)): 5,
    ((3,), (2,), (1,), (0,)): 2,
    ((0, 1, 2), (3,)): 2,
    ((1,), (2,), (0,)): 5,
    ((2, 3), (0,)): 3,
}
ORDERS = {
    (0, 1, 2): 14,
    (1, 0, 2): 9,
    (2, 1, 0): 4,
    (0, 3, 1): 11,
    (1, 3, 0): 8,
    (3, 1, 0): 2,
    (3, 2, 1): 6,
    (1, 2, 3): 7,
    (2, 3, 1): 5,
}


def match(groups: Sequence[Sequence[int]], placing: Placing) -> tuple[RatedMatch, list[int]]:
    agents = sorted(agent for group in groups for agent in group)
    places = [next(1 + sum(map(len, groups[:at])) for at, group in enumerate(groups) if agent in group) for agent in agents]
    names = tuple(map(str, agents))
    return RatedMatch("k", "d", names, tuple(places), (0.0,) * len(names), (0.0,) * len(names), (), placing), agents


def choices(placings: Placings, placing: Placing) -> dict[PlacingStage, float]:
    found: dict[PlacingStage, float] = {}
    for groups, times in placings.items():
        for choice in choices_of(*match(groups, placing)):
            found[choice] = found.get(choice, 0.0) + times
    return found


def test_winners_alone_are_fitted_as_by_scipy_and_choix() -> None:
    """Figures of scipy.optimize.minimize(method="BFGS") for the sum of -log(a_w / (a_1 + a_2 + a_3)) + |log a|^2 / 72, and of
    choix 0.4.1: choix.opt_top1(4, data, alpha=1 / 72)."""
    scipy = (0.703027, 0.203475, -0.452148, -0.454357)
    choix = (0.7030277, 0.2034762, -0.4521470, -0.4543569)
    found = fit(choices(WINNERS, "winners"), 4).strengths
    assert found == pytest.approx(scipy, abs=2e-5)
    assert found == pytest.approx(choix, abs=2e-5)


def test_the_bias_of_small_samples_is_taken_away_as_by_scipy() -> None:
    """Figures of scipy.optimize.minimize(method="BFGS") for the same sum less log(det I) / 2, where I is the information: 1/36
    in its diagonal, and diag(p) - p p' for each match."""
    scipy = (0.680001, 0.189049, -0.435805, -0.433258)
    data = choices(WINNERS, "winners")
    assert bias_reduced(fit(data, 4), data).strengths == pytest.approx(scipy, abs=1e-4)


def test_orders_are_fitted_as_by_choix() -> None:
    """Figures of choix.opt_rankings(4, data, alpha=1 / 72)."""
    choix = (0.2958614, 0.0126052, -0.4997443, 0.1912776)
    placings = {tuple((agent,) for agent in order): times for order, times in ORDERS.items()}
    assert fit(choices(placings, "scores"), 4).strengths == pytest.approx(choix, abs=2e-5)


def test_ties_of_two_and_three_are_fitted_as_by_scipy() -> None:
    """Figures of scipy.optimize.minimize(method="BFGS") for the likelihood of Turner and others (2020), equation 2, with a
    normal prior of precision 1/36 for each log strength and each log delta."""
    scipy = (0.8394106, 0.7375009, 0.3006618, -1.8775778, -1.0159163, -1.3444101)
    assert fit(choices(TIES, "scores"), 4).point == pytest.approx(scipy, abs=2e-5)


def expected_counts(strengths: Sequence[float], seats: int, placing: Placing, matches: float) -> dict[PlacingStage, float]:
    """What the model says of many matches, from its definition: orders for all places, shares for winners."""
    found: dict[PlacingStage, float] = {}
    for agents in combinations(range(len(strengths)), seats):
        for order in permutations(agents):
            left, probability = list(order), 1.0
            while left:
                probability *= math.exp(strengths[left[0]]) / sum(math.exp(strengths[agent]) for agent in left)
                left.pop(0)
            for choice in choices_of(*match([(agent,) for agent in order], placing)):
                found[choice] = found.get(choice, 0.0) + matches * probability
    return found


@pytest.mark.parametrize("placing", ["winners", "scores"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("last", [1.0, 2.0])
def test_ratings_are_as_wide_as_the_truth(seats: int, placing: Placing, last: float) -> None:
    strengths = (*(0.0,) * max(2, seats - 1), last)
    found = fit(expected_counts(strengths, seats, placing, 1e4), len(strengths)).strengths
    assert found[-1] - found[0] == pytest.approx(last, rel=0.002)


@given(st.permutations(range(4)), st.sampled_from([(WINNERS, "winners"), (TIES, "scores")]))
@settings(max_examples=15)
def test_names_do_not_matter(numbers: list[int], data: tuple[Placings, Placing]) -> None:
    placings, placing = data
    renamed = {tuple(tuple(numbers[agent] for agent in group) for group in groups): t for groups, t in placings.items()}
    plain, other = fit(choices(placings, placing), 4).strengths, fit(choices(renamed, placing), 4).strengths
    assert [other[numbers[agent]] for agent in range(4)] == pytest.approx(plain)


def test_the_order_of_losers_says_nothing_where_winners_alone_count() -> None:
    one, other = ({((0,), (1,), (2,)): 5.0, ((1,), *rest): 3.0} for rest in ([(0,), (2,)], [(2,), (0,)]))
    assert choices(one, "winners") == choices(other, "winners")
    assert choices(one, "scores") != choices(other, "scores")


def test_400_points_are_odds_of_ten_to_one_whoever_else_is_at_the_table() -> None:
    strengths = (400 / POINTS, 0.0, 1.7)
    shares = {choice.chosen[0]: times for choice, times in expected_counts(strengths, 3, "winners", 1.0).items()}
    assert shares[0] / shares[1] == pytest.approx(10)


def test_an_agent_may_have_several_seats() -> None:
    """Two seats of one agent win two thirds against an equal one."""
    data = {PlacingStage("k", (0, 0, 1), (0,), True): 200.0, PlacingStage("k", (0, 0, 1), (1,), True): 100.0}
    assert fit(data, 2).strengths == pytest.approx((0, 0), abs=1e-6)
