"""Evaluations of Kuhn poker agree with exact values, and so do their standard errors."""

from __future__ import annotations

from functools import cache

import pytest

from games.core import Rng
from games.search.evaluation import Evaluation, evaluate
from games.search.policy import search_policy
from tests.games.search.kuhn import BET, CARDS, LATER, PASS, Plan, exact, playing, state_of

EQUILIBRIUM: Plan = {
    (1, ""): 0.2,
    (2, ""): 0.0,
    (3, ""): 0.6,
    (1, "p"): 1 / 3,
    (2, "p"): 0.0,
    (3, "p"): 1.0,
    (1, "b"): 0.0,
    (2, "b"): 1 / 3,
    (3, "b"): 1.0,
    (1, "pb"): 0.0,
    (2, "pb"): 0.2 + 1 / 3,
    (3, "pb"): 1.0,
}
ODD: Plan = {key: 0.25 + 0.2 * key[0] - 0.1 * len(key[1]) for key in EQUILIBRIUM}
PLANS = {"equilibrium": EQUILIBRIUM, "another plan": ODD}
PLACES = sorted(EQUILIBRIUM)


def evaluated(plan: Plan, card: int, line: str, seed: int, playouts: int) -> Evaluation:
    """The moves of a player who has a card, after a line of moves."""
    return evaluate(state_of(plan, card, line), LATER[line], Rng(seed), playouts, playing(plan))


@cache
def evaluations(plan: str) -> list[tuple[int, str, Evaluation]]:
    """The moves of every place, evaluated under a plan."""
    found = enumerate(PLACES)
    return [(card, line, evaluated(PLANS[plan], card, line, number, 1200)) for number, (card, line) in found]


@pytest.mark.parametrize("plan", PLANS)
def test_every_move_is_worth_what_enumeration_says(plan: str) -> None:
    for card, line, evaluation in evaluations(plan):
        for grade in evaluation.grades:
            expected = exact(PLANS[plan], card, line, grade.action.move)
            assert abs(grade.share - expected) <= 3.5 * grade.error + 1e-9, (card, line, grade.action.move)


@pytest.mark.parametrize("plan", PLANS)
def test_what_a_move_gives_up_is_its_regret(plan: str) -> None:
    for card, line, evaluation in evaluations(plan):
        best, other = evaluation.grades
        regret = exact(PLANS[plan], card, line, best.action.move) - exact(PLANS[plan], card, line, other.action.move)
        assert best.behind == 0
        assert abs(other.behind - regret) <= 3.5 * other.behind_error + 1e-9, (card, line)


def test_the_best_move_is_found_where_it_matters() -> None:
    for card, line in PLACES:
        worth = {move: exact(ODD, card, line, move) for move in (PASS, BET)}
        if abs(worth[PASS] - worth[BET]) > 0.1:
            assert evaluated(ODD, card, line, 1, 1000).best.action.move == max(worth, key=worth.__getitem__), (card, line)


def test_where_two_moves_are_equal_the_usual_one_is_played_more_often() -> None:
    """In equilibrium, the 2 that has passed and is bet at may bet or pass. What its plan says there changes nothing else."""
    bets = dict.fromkeys((0.0, 1.0), 0)
    for usual in bets:
        plan = {**EQUILIBRIUM, (2, "pb"): usual}
        state, decide = state_of(plan, 2, "pb"), search_policy(40, playing(plan))
        bets[usual] = sum(decide(state, 0, Rng(seed)).move == BET for seed in range(60))
    assert bets[1.0] > bets[0.0] + 10


def test_an_interval_covers_the_exact_value_as_often_as_it_says() -> None:
    expected = exact(EQUILIBRIUM, 2, "pb", BET)
    found = [evaluated(EQUILIBRIUM, 2, "pb", seed, 160) for seed in range(150)]
    grades = [next(grade for grade in one.grades if grade.action.move == BET) for one in found]
    covered = sum(abs(grade.share - expected) <= 1.96 * grade.error for grade in grades)
    assert 0.90 <= covered / len(grades) <= 0.99


def test_the_shares_of_all_seats_add_up_to_one() -> None:
    for card in CARDS:
        for grade in evaluated(ODD, card, "", card, 50).grades:
            assert sum(grade.shares) == pytest.approx(1)
