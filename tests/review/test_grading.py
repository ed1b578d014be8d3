"""Grading: what a decision is worth from what its seat knew, against exact values, forced wins and swapped cards."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest

from games.core import Action, Rng, State
from games.core.reading import Reading, Style
from games.search import grading, worlds
from games.search.comparison import PairedComparison, compared
from games.search.grading import grade_of
from runner.review.decision_review import DecisionEntry, DecisionJob, review_decision
from runner.review.review_document import _seen
from tests.games.coup.positions import position
from tests.games.search.kuhn import BET, LATER, PASS, exact, playing, state_of
from tests.games.search.test_exact_values import EQUILIBRIUM
from tests.games.search.test_search import middle

SEARCHED = ("cat_in_the_box", "coup", "oriflamme")
SEEDS = 60


def compared_often(card: int, line: str, move: str, seeds: int = SEEDS, playouts: int = 64) -> list[PairedComparison]:
    """A move of Kuhn poker compared with the other one, in worlds of many seeds."""
    action = Action(state_of(EQUILIBRIUM, card, line), LATER[line], move)
    return [compared(action.state, action, playing(EQUILIBRIUM), playouts, "kuhn", seed) for seed in range(seeds)]


def reviewed(state: State, answer: dict[str, str], playouts: int = 60) -> DecisionEntry:
    entry = review_decision(DecisionJob(1, state, state, 0, answer), playouts, 1).entry
    assert entry is not None
    return entry


# -- regrets of Kuhn poker -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "line", "move"), [(1, "b", BET), (2, "p", BET), (2, "", PASS), (2, "b", BET)])
def test_mean_regret_agrees_with_the_exact_one(card: int, line: str, move: str) -> None:
    found = compared_often(card, line, move)
    expected = max(exact(EQUILIBRIUM, card, line, other) for other in (PASS, BET)) - exact(EQUILIBRIUM, card, line, move)
    regrets = [one.regret for one in found]
    chance, bias = 3.5 * stdev(regrets) / SEEDS**0.5, 0.25 * fmean(one.error for one in found)
    assert abs(fmean(regrets) - expected) <= chance + bias


def test_a_move_as_good_as_the_other_gives_up_less_on_average_than_single_estimates_do() -> None:
    found = compared_often(2, "b", BET)
    error = fmean(one.error for one in found)
    mean = fmean(one.regret for one in found)
    assert abs(mean) <= 0.25 * error + 3.5 * stdev(one.regret for one in found) / SEEDS**0.5
    assert fmean(max(0.0, one.behind) for one in found) > mean + 0.1 * error


def test_close_candidates_get_more_playouts_by_the_race_alone() -> None:
    """A pass of the highest card after a bet gives up three quarters of the win; both moves of the middle one are level."""
    far, close = (compared_often(card, "b", PASS, 1, 80)[0] for card in (3, 2))
    assert far.playouts < 0.9 * close.playouts


def test_the_policy_s_own_choice_is_no_gain() -> None:
    """Where the answer is what the policy always does, it is worth exactly what the policy's own play is."""
    action = Action(state_of(EQUILIBRIUM, 3, "b"), LATER["b"], BET)
    assert compared(action.state, action, playing(EQUILIBRIUM), 40, "kuhn").gain == 0
    worse = Action(action.state, LATER["b"], PASS)
    assert compared(worse.state, worse, playing(EQUILIBRIUM), 40, "kuhn").gain < -0.3


# -- forced wins -----------------------------------------------------------------------------------------------------------


def test_a_coup_against_the_last_card_is_best_and_anything_else_a_blunder() -> None:
    state = position("7 (Du) Co", "9 (Du) As", actor=0)
    best = reviewed(state, {"action": "coup", "target": "P-1"})
    assert (best["grade"], best["share"], best["regret"]) == ("best", 1.0, 0.0)
    other = reviewed(state, {"action": "income", "target": "none"})
    assert other["grade"] == "blunder"
    assert other["best"] == {"action": "coup", "target": "P-1"}
    assert other["best_share"] == 1.0


def harmless(state: State, seat: int, rng: Rng) -> Action:
    """P-0 makes a coup when it can, P-1 takes Income."""
    best = {"action": "coup" if seat == 0 else "income", "target": "P-1" if seat == 0 else "none"}
    return next((one for one in state.actions_of(seat) if one.to_json() == best), state.actions_of(seat)[0])


def test_a_fault_that_a_second_policy_of_the_playouts_does_not_find_is_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coup against the last card wins at once. Income is as good if the other player gives it the time."""
    state, income = position("7 (Du) Co", "9 (Du) As", actor=0), {"action": "income", "target": "none"}
    monkeypatch.setattr(worlds, "readings_of", lambda state, seat: ())
    assert reviewed(state, income)["grade"] == "blunder"
    monkeypatch.setattr(grading, "second_policy", lambda game: harmless)
    entry = reviewed(state, income)
    assert entry["grade"] == "unsure"
    assert entry["given_up"] > 0.15
    assert reviewed(state, {"action": "coup", "target": "P-1"})["grade"] == "best"


def test_the_others_play_on_by_what_they_showed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Income gives nothing up against a player who is known to take Income."""
    state, income = position("7 (Du) Co", "9 (Du) As", actor=0), {"action": "income", "target": "none"}
    known = Reading(1, (Style("harmless", 1.0, lambda playing: harmless),), lambda world: (1.0,), {})
    monkeypatch.setattr(worlds, "readings_of", lambda state, seat: (known,))
    assert reviewed(state, income)["grade"] in ("best", "good")


@pytest.mark.parametrize(
    ("given_up", "error", "grade"),
    [
        (-0.1, 0.0, "best"),
        (0.0, 0.1, "best"),
        (0.04, 0.01, "good"),
        (0.05, 0.01, "inaccuracy"),
        (0.1, 0.01, "mistake"),
        (0.15, 0.01, "blunder"),
        (0.3, 0.16, "good"),
    ],
)
def test_a_grade_needs_its_share_and_two_standard_errors(given_up: float, error: float, grade: str) -> None:
    assert grade_of(given_up, error) == grade


# -- hidden cards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SEARCHED)
def test_hidden_cards_do_not_change_a_grade_nor_what_a_view_shows(game: str) -> None:
    state = middle(game, 3, 2)
    seat = state.pending[0]
    answer = state.actions_of(seat)[-1].to_json()
    drawn = [state, *(state.resample(seat, Rng(number)) for number in range(2))]
    found = [review_decision(DecisionJob(3, world, world, seat, answer), 16, 1) for world in drawn]
    assert found[1:] == found[:1] * 2
    seen = [_seen(DecisionJob(3, world, world, seat, answer), seat, 16, 1) for world in drawn]
    assert seen[1:] == seen[:1] * 2
    assert len({repr(world.to_json()) for world in drawn}) > 1


def test_a_struck_out_seat_is_named_and_not_graded() -> None:
    state = position("2 Du Co", "2 Du As", actor=0)
    assert review_decision(DecisionJob(1, state, state, 0, None), 8, 1).why == "the seat was struck out"
