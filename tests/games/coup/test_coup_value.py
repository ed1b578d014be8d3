"""What a player of Coup can expect, by fitted weights."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import pytest

from games.core import Rng
from games.coup import GAME
from games.coup.value import horizon, value
from games.search.playouts import play_out
from tests.games.coup.positions import position
from tools.campaigns.fit import as_data
from tools.campaigns.fit_value import expected, fitted, matches, prediction


def shares(*players: str, actor: int = 0) -> list[float]:
    state = position(*players, actor=actor)
    return [value(state, seat) for seat in range(len(players))]


def test_the_living_share_the_win() -> None:
    found = shares("2 Du Co", "0 (Du) (As)", "2 (Ca) Am", "5 Ca Co", actor=3)
    assert sum(found) == pytest.approx(1)
    assert found[1] == 0
    assert min(found[0], found[3]) > found[2] > 0


def test_influences_a_duke_and_the_price_of_a_coup_are_worth_something() -> None:
    assert shares("2 Du Ca", "2 Co Am")[0] > 0.5 < shares("2 Co Am", "2 Du Ca", actor=1)[1]
    assert shares("7 Am", "2 Ca")[0] > shares("2 Am", "2 Ca")[0] + 0.1
    assert shares("2 Ca", "2 Ca Am")[0] < 0.35


def test_a_duel_is_judged_by_both_hands_and_purses() -> None:
    assert shares("7 Am", "2 Ca")[0] > 0.97, "the coup ends the match"
    assert shares("3 As", "5 Du")[0] > 0.95 > 0.15 > shares("3 As", "5 Co")[0], (
        "and so does an assassination, but for a Contessa"
    )
    assert shares("2 Ca", "2 Du")[0] > 0.8 > 0.4 > shares("2 Ca", "2 Am")[0], "nobody stops the Captain, or somebody does"


def test_the_first_to_pay_for_a_coup_among_three_leaves_the_win_to_the_others() -> None:
    assert shares("7 Du", "7 Ca", "7 Am")[0] < 0.2


def test_the_weights_predict_matches_that_they_were_not_fitted_to() -> None:
    wins, equal = 0.0, 0.0
    for seed in range(160):
        state = GAME.begin(players=4, seed=990_000 + seed)
        steady, rng = GAME.bots["steady"], Rng(seed)
        while state.round < 20 and state.pending:
            state = steady(state, state.pending[0], rng).next_state
        if state.pending:
            (winner,) = (seat for seat, share in enumerate(play_out(state, steady, rng).shares) if share)
            wins, equal = wins + log(value(state, winner)), equal - log(state.living.bit_count())
    assert wins > equal + 7


def test_the_same_matches_fit_the_same_weights() -> None:
    played = [*matches(12)]
    weights = fitted(played)
    assert as_data(weights) == as_data(fitted([*matches(12)]))
    assert prediction(played, {}) == pytest.approx(
        sum(log(1 / len(seen)) for seen in played[0][0] + played[10][0]) / len(played[0][0] + played[10][0])
    )
    stored = json.loads(Path("decks/coup_value.json").read_text(encoding="utf-8"))
    assert {*as_data(weights)} == {*stored}
    assert expected(played[0][0][0], {}) == pytest.approx([1 / 2, 1 / 2])


def test_a_match_with_a_limit_of_turns_is_played_to_its_end() -> None:
    assert horizon(position("2 Du Co", "2 Du As")) == 8
    assert horizon(position("2 Du Co", "2 Du As", max_turns=60)) is None
