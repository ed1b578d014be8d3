"""Evaluations of Leduc poker agree with exact values, at every information set."""

from __future__ import annotations

from functools import cache
from statistics import fmean, stdev

import pytest

from games.core import Rng
from games.search.evaluation import Evaluation, evaluate
from tests.games.search.leduc import (
    DEALS,
    Plan,
    State,
    by_strength,
    chips,
    exact,
    game,
    information_sets,
    level,
    place_of,
    playing,
    share,
    state_of,
    value,
)

PLANS = {"every move equally often": level, "by strength": by_strength}


@cache
def evaluations(plan: Plan) -> dict[tuple[int, int, str], Evaluation]:
    """What a player to move expects, by all that it can know. No candidate is given up: those that are were unlucky."""
    found = {}
    for number, (card, common, line) in enumerate(information_sets()):
        state, seat = state_of(plan, card, common, line), place_of(line).seat or 0
        found[card, common, line] = evaluate(state, seat, Rng(number), 100, playing(plan), kept=state.actions_of(seat))
    return found


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_every_move_is_worth_what_enumeration_says(plan: Plan) -> None:
    """The standard error of a share p is at most that of a win or a loss with that probability."""
    for known, evaluation in evaluations(plan).items():
        for grade in evaluation.grades:
            expected = exact(plan, *known, grade.action.move)
            error = (expected * (1 - expected) / grade.playouts) ** 0.5
            assert abs(grade.share - expected) <= 4 * error + 1e-9, (known, grade.action.move)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_no_share_is_too_high_or_too_low_on_average(plan: Plan) -> None:
    off = [
        fmean(grade.share - exact(plan, *known, grade.action.move) for grade in evaluation.grades)
        for known, evaluation in evaluations(plan).items()
    ]
    assert len(off) == 288  # as many as the literature counts
    assert abs(fmean(off)) <= 4 * stdev(off) / len(off) ** 0.5 < 0.01


@pytest.mark.parametrize(
    ("deal", "line", "won", "stake"),
    [
        ((1, 3, 2), "rf", 1, 1),
        ((1, 3, 2), "crf", 0, -1),
        ((1, 3, 2), "cc/cc", 0, -1),
        ((1, 3, 1), "rrc/crrc", 1, 13),
        ((2, 2, 1), "rc/cc", 0.5, 0),
        ((3, 1, 2), "rc/rrf", 0, -7),
    ],
)
def test_a_pair_wins_then_the_higher_card_and_who_folds_loses_what_it_paid(
    deal: tuple[int, int, int], line: str, won: float, stake: float
) -> None:
    assert place_of(line).seat is None
    assert (share(deal, line), chips(deal, line)) == (won, stake)


def test_matches_by_a_plan_bring_what_enumeration_says() -> None:
    leduc, results = game(by_strength), []
    for seed in range(1500):
        state, rng = leduc.begin(seed=seed), Rng(seed)
        while not state.has_ended:
            state = leduc.bots["steady"](state, state.pending[0], rng).next_state
        assert isinstance(state, State)
        results.append(chips(state.deal_, state.line))
    expected = fmean(value(by_strength, deal, "", chips) for deal in DEALS)
    assert abs(fmean(results) - expected) <= 4 * stdev(results) / len(results) ** 0.5
