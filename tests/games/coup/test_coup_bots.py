"""The bots of Coup."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import Policy, Rng
from games.coup import GAME, State
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position

random, steady = GAME.bots["random"], GAME.bots["steady"]


def answer(state: State, seat: int, word: int = 1) -> dict[str, Any]:
    return steady(state, seat, Rng(word)).to_json()


def match(bots: list[Policy], seed: int) -> State:
    state = GAME.begin(players=len(bots), seed=seed)
    rng = Rng.of("bots", seed)
    for _ in range(3000):
        if state.has_ended:
            break
        seat = state.pending[0]
        action = bots[seat](state, seat, rng)
        assert action in state.actions_of(seat)
        state = action.next_state
    assert state.has_ended
    assert isinstance(state, State)
    return state


@pytest.mark.parametrize("players", GAME.players)
def test_steady_plays_to_the_end(players: int) -> None:
    for seed in range(12):
        assert match([steady] * players, seed).winners


def test_steady_beats_random() -> None:
    wins = 0
    for seed in range(60):
        bots = [random] * 3
        bots[seed % 3] = steady
        wins += match(bots, seed).winners == (seed % 3,)
    assert wins > 40


def test_steady_does_not_depend_on_what_it_cannot_know() -> None:
    state = GAME.begin(players=4, seed=3)
    for number in range(60):
        if state.has_ended:
            break
        seat = state.pending[0]
        action = steady(state, seat, Rng(number))
        assert steady(state.resample(seat, Rng(number)), seat, Rng(number)).move == action.move
        state = action.next_state


def test_steady_challenges_a_claim_that_cannot_be_true() -> None:
    state = play(position("2 As As", "2 Du Du", "2 (Du) Ca"), does(0, "tax"))
    assert answer(state, 1) == {"response": "challenge"}
    assert answer(state, 2) == {"response": "pass"}


def test_steady_blocks_with_what_it_has() -> None:
    state = play(position("3 As As", "2 Du Co", "2 Ca Am"), does(0, "assassinate", 1), *passes(1, 2))
    assert answer(state, 1) == {"response": "block as Contessa"}
    state = play(position("3 As As", "2 Du Am", "2 Ca Am"), does(0, "steal", 1), *passes(1, 2))
    assert answer(state, 1) == {"response": "block as Ambassador"}


def test_steady_makes_a_coup_as_soon_as_it_can_against_the_most_dangerous() -> None:
    assert answer(position("7 Du As", "9 Am (Co)", "2 Ca Co"), 0) == {"action": "coup", "target": "P-2"}


def test_steady_does_not_steal_again_from_who_blocked_it() -> None:
    start = position("2 Ca Ca", "2 Am Am", "1 Co Co")
    assert answer(start, 0) == {"action": "steal", "target": "P-1"}
    state = play(start, does(0, "steal", 1), *passes(1, 2), blocks(1, "Ambassador"), *passes(2, 0))
    state = play(state, does(1, "income"), does(2, "income"))
    assert answer(state, 0) == {"action": "steal", "target": "P-2"}


def test_steady_forgets_an_old_claim() -> None:
    state = play(position("2 Ca Ca", "2 Am Am", "1 Co Co"), does(0, "steal", 1), *passes(1, 2), blocks(1, "Ambassador"))
    state = play(state, *passes(2, 0))
    for turn in range(1, 11):
        state = play(state, does(turn % 3, "income"))
    while state.actor:
        state = play(state, does(state.actor, "income"))
    coins = (2, 6, 5)  # P-1 has most again, and nobody a coup
    assert answer(state._replace(coins=coins), 0) == {"action": "steal", "target": "P-1"}


@pytest.mark.parametrize("coins", [0, 1])
def test_steady_does_not_steal_where_less_than_two_coins_are(coins: int) -> None:
    for word in range(20):
        assert answer(position("2 Ca Ca", f"{coins} Am Am"), 0, word)["action"] != "steal"


def test_steady_beats_a_seat_that_is_always_struck_out() -> None:
    """Each strike-out takes a coin, so a theft that waits for answers brings nothing."""
    for seed in range(4):
        state = GAME.begin(players=2, seed=seed)
        for turn in range(60):
            if not state.has_ended:
                seat = state.pending[0]
                state = state.strike_out(1) if seat else state.read(0, answer(state, 0, turn)).next_state
        assert state.winners == (0,)


def test_steady_gives_up_the_less_useful_card() -> None:
    state = play(position("2 Am Am", "2 Du Am", "2 Ca Co"), does(0, "tax"), challenges(1), loses(0, "Ambassador"))
    state = play(state, does(1, "tax"), challenges(2), (1, {"show": "Duke"}))
    assert answer(state, 2) == {"lose": "Contessa"}


def test_steady_keeps_different_cards_in_an_exchange() -> None:
    state = play(position("2 Am Am", "2 As Co", deck="Du Am"), does(0, "exchange"), *passes(1))
    assert answer(state, 0) == {"keep": "Ambassador, Duke"}
