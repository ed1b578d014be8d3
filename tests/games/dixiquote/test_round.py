"""The course of a round: who decides, what is refused, penalties and skips, the end (rules 2 to 5 and 9 to 12)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.core import IllegalAction, OptionError, State
from games.dixiquote.cards import SITUATIONS, deck_to_json
from tests.games.dixiquote.tables import (
    GAME,
    begin,
    card_of,
    first,
    play,
    points,
    to_quote,
    to_submit,
    to_vote,
    vote,
    with_scores,
)


def refusal(state: State, seat: int, **answer: Any) -> str:
    with pytest.raises(IllegalAction) as refused:
        state.read(seat, answer)
    return str(refused.value)


def end_round(state: State) -> State:
    """The state after the first legal answer of everybody until the round is over."""
    number = state.round
    while state.round == number and not state.has_ended:
        state = first(state, state.pending[0])
    return state


def test_everybody_has_six_cards_and_seat_0_tells_first() -> None:
    for players in GAME.players:
        view = begin(players).view(None)
        assert view["hand_sizes"] == [6] * players
        assert (view["storyteller"], view["deck_left"]) == (0, 80 - 6 * players)


def test_a_round_goes_through_its_phases() -> None:
    state = begin()
    assert (state.phase.name, state.pending) == ("Choose a Situation", (0,))
    state = to_quote(state)
    assert (state.phase.name, state.pending) == ("Give a Quote", (0,))
    state = to_submit(state)
    assert (state.phase.name, state.pending) == ("Submit Situations", (1, 2, 3))
    state = to_vote(begin())
    assert (state.phase.name, state.pending) == ("Reveal and Vote", (1, 2, 3))
    state = end_round(state)
    assert (state.phase.name, state.pending, state.round) == ("Choose a Situation", (1,), 2)
    assert state.view(None)["hand_sizes"] == [6] * 4
    assert state.view(None)["deck_left"] == 80 - 24 - 4


def test_blind_quote_turns_choosing_and_quoting_round() -> None:
    state = begin(blind_quote=True)
    assert state.phase.name == "Give a Quote"
    assert to_submit(state).pending == (0, 1, 2, 3)
    assert to_vote(state).pending == (0, 1, 2, 3)
    assert card_of(to_vote(state), 0) not in json.dumps(to_vote(state).question(0).schema)


@pytest.mark.parametrize(
    ("quote", "lines", "why"),
    [("", 1, "empty"), (" \n ", 1, "empty"), ("a\nb", 1, "2 lines"), ("a\u2028b", 1, "2 lines"), ("a\nb\nc", 2, "3 lines"),
     ("x" * 501, 1, "501 characters"), (7, 1, "a text"), ("\ud800", 1, "surrogate")],
)  # fmt: skip
def test_a_quote_that_is_none_is_refused(quote: object, lines: int, why: str) -> None:
    """Rule 3 and D-C13."""
    assert why in refusal(to_quote(begin(max_quote_lines=lines)), 0, quote=quote)


def test_a_long_quote_has_two_lines_and_a_quote_is_stripped() -> None:
    assert play(to_quote(begin(max_quote_lines=2)), 0, quote="a\nb").view(None)["quote"] == "a\nb"
    assert play(to_quote(begin()), 0, quote="  so it was \n").view(None)["quote"] == "so it was"


def test_cards_not_in_hand_or_not_on_the_table_are_refused() -> None:
    """Rules 3 to 5."""
    state = to_submit(begin())
    other = state.view(2)["own"]["hand"][0]["id"]
    assert other in refusal(state, 1, card=other)
    assert "nonesuch" in refusal(state, 1, card="nonesuch")
    state = to_vote(begin())
    assert "nonesuch" in refusal(state, 1, card="nonesuch")
    voted = first(state, 1)
    assert refusal(voted, 1, card=card_of(state, 0)) == "You owe no decision now."
    assert refusal(state, 0, card=card_of(state, 1)) == "You owe no decision now."


def test_a_vote_for_the_own_card_is_refused_with_the_reason() -> None:
    """Rule 5."""
    state = to_vote(begin())
    assert "nobody may vote for their own card" in refusal(state, 1, card=card_of(state, 1))


def test_an_answer_without_its_field_is_refused_with_the_remedy() -> None:
    state = to_submit(begin())
    assert '"card" is missing' in refusal(state, 1)
    assert '"card" is missing' in refusal(state, 1, colour="red")


@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (7, 6)])
def test_a_strike_out_costs_a_point_but_never_below_0(before: int, after: int) -> None:
    state = with_scores(to_submit(begin()), 0, before, 0, 0).strike_out(1)
    assert state.scores[1] == after
    assert state.pending == (2, 3)


def test_a_penalty_never_raises_a_score() -> None:
    state = with_scores(to_submit(begin(score_floor=None)), 0, -2, 0, 0)
    assert state.strike_out(1).scores[1] == -2


def test_a_skip_lasts_for_the_phase_or_for_the_round() -> None:
    """D-C5 and D-C11: P-3, skipped while submitting, may vote, unless skips last for the round."""
    state = to_vote(begin(), skipped=(3,))
    assert (len(state.view(None)["table"]), state.pending) == (3, (1, 2, 3))
    assert to_vote(begin(skip_scope="round"), skipped=(3,)).pending == (1, 2)


def test_a_skipped_player_keeps_six_cards_and_draws_none() -> None:
    """D-C11."""
    state = to_vote(begin(), skipped=(3,))
    hand = state.view(3)["own"]["hand"]
    state = end_round(state)
    assert state.view(3)["own"]["hand"] == hand
    assert state.view(None)["deck_left"] == 80 - 24 - 3


@pytest.mark.parametrize("phase", ["Choose a Situation", "Give a Quote"])
def test_a_struck_out_storyteller_forfeits_the_round(phase: str) -> None:
    """D-C7."""
    state = begin() if phase == "Choose a Situation" else to_quote(begin())
    hand = {card["id"] for card in begin().view(0)["own"]["hand"]}
    after = state.strike_out(0)
    assert (after.round, after.pending, points(after)) == (2, (1,), [0, 0, 0, 0])
    assert {card["id"] for card in after.view(0)["own"]["hand"]} == hand
    done = after.view(None)["history"][-1]
    assert (done["forfeited"], done["quote"], done["cards"]) == (True, None, [])


def test_a_struck_out_storyteller_can_be_replaced_by_chance() -> None:
    state = begin(storyteller_skip="random_card").strike_out(0)
    assert (state.phase.name, state.pending) == ("Give a Quote", (0,))
    assert state.view(0)["own"]["chosen"] is not None
    state = state.strike_out(0)
    assert (state.phase.name, state.view(None)["quote"]) == ("Submit Situations", "")


def test_a_storyteller_struck_out_for_the_round_gives_no_quote_either() -> None:
    state = begin(storyteller_skip="random_card", skip_scope="round").strike_out(0)
    assert (state.phase.name, state.view(None)["quote"]) == ("Submit Situations", "")


def test_blind_quote_goes_on_without_a_storytellers_card() -> None:
    state = to_vote(begin(blind_quote=True), skipped=(0,))
    assert (len(state.view(None)["table"]), state.pending) == (3, (0, 1, 2, 3))
    alone = to_vote(begin(blind_quote=True), skipped=(0, 2, 3))
    assert alone.pending == (0, 2, 3)


def test_the_match_ends_after_the_last_round() -> None:
    """Rule 12."""
    state = begin(3)
    while not state.has_ended:
        state = first(state, state.pending[0])
    assert state.round == len(state.view(None)["history"]) == 15
    assert state.ending == ("round 15 of 15 is played",)


def test_the_target_is_looked_at_only_at_the_end_of_a_round() -> None:
    """Rule 12."""
    state = with_scores(to_vote(begin(target_score=5)), 5, 0, 0, 0)
    assert not state.has_ended
    after = vote(state, {1: 0, 2: 0, 3: 2})
    assert after.ending == ("the target score of 5 is reached",)
    assert after.winners == (0,)


def test_a_tie_is_shared_and_all_reasons_to_end_are_named() -> None:
    state = with_scores(to_vote(begin(target_score=3, max_rounds=1)), 4, 5, 4, 4)
    after = vote(state, {1: 0, 2: 0, 3: 2})
    assert after.ending == ("the target score of 3 is reached", "round 1 of 1 is played")
    assert after.scores == (6, 6, 6, 4)
    assert after.winners == (0, 1, 2)


@pytest.mark.parametrize(("players", "rounds"), [(3, 21), (4, 14), (5, 10), (6, 8), (7, 6), (8, 4)])
def test_the_deck_runs_out(players: int, rounds: int) -> None:
    for deck_end in ("empty", "cannot_refill"):
        state = begin(players, max_rounds=1000, target_score=1000, deck_end=deck_end)
        caution = GAME.cautions(players, state.setup.options)[0]
        while not state.has_ended:
            state = first(state, state.pending[0])
        exact = deck_end == "cannot_refill" and (80 - 6 * players) % players == 0
        assert state.ending == ("the deck has run out",)
        assert state.round == rounds + exact
        assert f"after round {state.round} with {players} players" in caution


def test_who_draws_first_when_the_deck_is_short() -> None:
    """D-C9: 25 cards, 4 players: one card for four hands."""
    deck = deck_to_json(SITUATIONS[:25])
    first_seat = end_round(begin(deck=deck, deck_end="cannot_refill"))
    assert first_seat.view(None)["hand_sizes"] == [6, 5, 5, 5]
    teller = end_round(begin(deck=deck, deck_end="cannot_refill", refill_from="new_storyteller"))
    assert teller.view(None)["hand_sizes"] == [5, 6, 5, 5]


@pytest.mark.parametrize(("players", "scoring", "said"), [(5, "revised", False), (6, "revised", True), (6, "original", False),
                                                          (7, "original", True), (8, "original", True)])  # fmt: skip
def test_a_target_out_of_reach_is_said(players: int, scoring: str, said: bool) -> None:
    cautions = GAME.cautions(players, begin(players, scoring=scoring).setup.options)
    assert any("target score of 20 is out of reach" in caution for caution in cautions) == said


def test_no_seat_sees_owners_or_votes_before_scoring() -> None:
    """Rules 4 and 5."""
    state = first(to_vote(begin()), 1)
    for seat in (None, 0, 1, 2, 3):
        shown = state.view(seat)
        assert all(set(card) == {"id", "text"} for card in shown["table"])
        assert shown == first(to_vote(begin()), 1).view(seat)
    assert state.view(2) == to_vote(begin()).view(2)
    assert state.view(1)["own"]["submitted"] is not None


def test_cards_are_neither_made_nor_lost() -> None:
    rng = random.Random(3)
    state, seen = begin(6), set()
    while not state.has_ended:
        data = state.to_json()
        held = [card for hand in data["hands"] for card in hand] + data["deck"]
        played = {card["card"] for done in data["history"] for card in done["cards"]}
        assert len(held) == len(set(held))
        assert sorted({*held, *played}) == list(range(80))
        assert not played & set(held)
        seen |= played
        state = rng.choice(state.actions).next_state
    assert seen


def test_a_deck_of_ones_own_and_a_deck_that_is_too_small() -> None:
    deck = [{"id": str(number), "genre": "noir", "text": "The same words."} for number in range(30)]
    assert begin(deck={"title": "mine", "cards": deck}).view(0)["own"]["hand"][0]["text"] == "The same words."
    with pytest.raises(OptionError, match="18 cards, but 4 players need at least 24"):
        begin(deck=deck[:18])
