"""The rating of one agent against opponents whose ratings are held."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.statistics.deal_sums import RatedMatch, rated_match
from runner.standings.rating import anchored_rating

NOTHING_HELD_BACK = 25
"""Points by which the weak prior may move a rating."""


def matches(wins: int, losses: int, other: str = "other") -> list[RatedMatch]:
    """Matches of two, each on its own deal."""
    found = []
    for number in range(wins + losses):
        scores, winners = ((1, 0), (0,)) if number < wins else ((0, 1), (1,))
        found.append(rated_match(("two", f"deal {number}"), ("me", other), scores, winners, (), "winners"))
    return found


def test_three_wins_of_four_are_odds_of_three_to_one() -> None:
    found = anchored_rating(matches(30, 10), "me", {"other": 1600})
    assert found["value"] == pytest.approx(1600 + 400 * math.log10(3), abs=NOTHING_HELD_BACK)
    error = 400 / math.log(10) / math.sqrt(40 * 0.75 * 0.25)
    assert (found["high"] - found["low"]) / 2 == pytest.approx(2.02 * error, rel=0.05)


@given(wins=st.integers(4, 20), losses=st.integers(4, 20), shift=st.floats(-500, 500))
@settings(max_examples=15, deadline=None)
def test_references_that_are_held_higher_move_the_rating_alone(wins: int, losses: int, shift: float) -> None:
    played = matches(wins, losses)
    low, high = (anchored_rating(played, "me", {"other": 1500 + by})["value"] for by in (0.0, shift))
    assert high - low == pytest.approx(shift, abs=NOTHING_HELD_BACK)


def test_two_references_that_disagree_stay_where_they_are() -> None:
    played = [*matches(20, 20, "weak"), *matches(20, 20, "strong")]
    found = anchored_rating(played, "me", {"weak": 1400, "strong": 1600})
    assert found["value"] == pytest.approx(1500, abs=1)


def test_the_rating_agrees_with_an_independent_likelihood() -> None:
    """One match of three has one winner: the likelihood of the winner among known strengths, maximised by bisection."""
    rng, held = random.Random(3), {"a": 1500.0, "b": 1650.0}
    played, names = [], ("me", "a", "b")
    for number in range(120):
        winner = rng.choices(range(3), [1.6, 1.0, 10 ** (150 / 400)])[0]
        scores = tuple(int(seat == winner) for seat in range(3))
        played.append(rated_match(("three", f"deal {number}"), names, scores, (winner,), (), "winners"))
    won, rest = sum(one.wins[0] for one in played), 1.0 + 10 ** (150 / 400)
    exact = 1500 + 400 * math.log10(won / (120 - won) * rest)
    assert anchored_rating(played, "me", held)["value"] == pytest.approx(exact, abs=5)


def test_a_model_that_wins_nothing_has_a_finite_rating() -> None:
    found = anchored_rating(matches(0, 12), "me", {"other": 1500})
    assert 0 < found["value"] < 1100
