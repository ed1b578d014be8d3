"""States of Oriflamme: the source's own loop, cards, secrets, data."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from games.core import STRIKE_OUT, Event, Rng
from games.oriflamme import GAME, Action, State
from games.oriflamme.cards import STANDARD_SET, TYPES, names_of
from games.oriflamme.position import card_from, card_text
from games.oriflamme.stack import QueueCard, cards_of, points_of, scores_of, stack_of
from games.testing.random_play import begin, variants, walk
from tests.games.oriflamme.positions import drawn, play, position


def matches(count: int = 4) -> Iterator[list[State]]:
    """Random matches of every player count and variant."""
    ways = variants(GAME)
    for players in GAME.players:
        for seed in range(count):
            state = begin(GAME, players, seed, ways[(seed + players * count) % len(ways)])
            assert isinstance(state, State)
            yield [each for each in walk(state, random.Random(seed), 0.05) if isinstance(each, State)]


def test_the_loop_of_the_source_plays_a_match() -> None:
    state = State.begin()
    while not state.has_ended:
        actions = state.actions
        action = random.choice(actions)
        assert isinstance(action, Action)
        state = action.next_state
    assert state.winners
    assert state.setup.players == 3


def test_every_family_keeps_its_ten_cards() -> None:
    for states in matches():
        before = [0] * states[0].setup.players
        for state in states:
            gone = list(state.gone)
            for seat in range(state.setup.players):
                own = [card.kind for stack in state.queue for card in cards_of(stack) if card.owner == seat]
                names = names_of(state.hands[seat]) + names_of(state.removed[seat]) + names_of(gone[seat])
                assert Counter(names + [TYPES[kind].name for kind in own]) == Counter(STANDARD_SET)
                assert before[seat] & gone[seat] == before[seat], "what is face up stays so"
                assert state.removed[seat] == states[0].removed[seat]
                assert state.in_queue[seat] == len(own)
            assert all(len({card.owner for card in cards_of(stack)}) == 1 for stack in state.queue)
            before = gone


def test_a_round_takes_one_card_of_every_hand() -> None:
    for states in matches():
        for state in states:
            if state.phase.name == "Resolution":
                assert {hand.bit_count() for hand in state.hands} == {7 - state.round}
        assert states[-1].round == 6


def test_a_stack_is_taken_apart_and_put_together() -> None:
    cards = [QueueCard(9, 4, True, 0), QueueCard(0, 0, False, 63), QueueCard(5, 3, False, 2)]
    assert cards_of(stack_of(cards)) == tuple(cards)
    assert [card_from(card_text(card)) for card in cards] == cards
    assert scores_of(points_of((3, 0, 200)), 3) == (3, 0, 200)
    with pytest.raises(ValueError, match="is not a card"):
        card_from("Spy")


def test_data_reads_well() -> None:
    data = position("[A:Lord* / B:Spy] C:Archer(2)".replace("B:", "A:"), at=2).to_json()
    assert data["queue"] == [["0:Lord*", "0:Spy"], ["2:Archer(2)"]]
    assert data["points"] == [1, 1, 1]
    assert len(json.dumps(data)) < 1500


def test_a_view_shows_what_a_seat_may_know() -> None:
    state = position("[A:Lord* / A:Spy(1)] B:Heir(2) C:Archer", at=2)
    view = state.view(0)
    lord, spy = view["queue"][0]
    assert lord == {"owner": 0, "card": "Lord", "revealed": True, "tokens": 0}
    assert spy == {"owner": 0, "card": "Spy", "revealed": False, "tokens": 1}
    assert view["queue"][1] == [{"owner": 1, "card": None, "revealed": False, "tokens": 2}]
    assert view["own"]["hidden"] == [{"position": 1, "card": "Spy", "tokens": 1, "covered": True}]
    assert (view["pointer"], view["actor"], view["ability"]) == (2, 1, None)
    assert state.view(1)["queue"][1][0]["card"] == "Heir"
    assert state.view(None)["queue"][0][1]["card"] is None
    assert state.view(None)["own"] is None


def test_the_seats_still_to_place_are_listed() -> None:
    state = State.begin(players=4)
    assert state.view(0)["still_to_place"] == [0, 1, 2, 3]
    assert state.actions[0].next_state.view(0)["still_to_place"] == [1, 2, 3]
    assert position("A:Spy").view(0)["still_to_place"] == []


def test_others_cannot_tell_which_card_was_placed_or_kept() -> None:
    state = State.begin(seed=4)
    placed = [state.read(0, {"card": card, "place": "front"}).next_state for card in names_of(state.hands[0])]
    assert len({repr([event for event in after.events if event.reaches(1)]) for after in placed}) == 1
    assert len({repr([event for event in after.events if event.reaches(0)]) for after in placed}) == 7
    kept = [play(position(f"B:{name}(1) C:Heir"), {"choice": "keep"}) for name in ("Spy", "Ambush", "Archer")]
    assert _public(kept[0].events) == _public(kept[1].events) == _public(kept[2].events)


def test_what_is_told_of_a_hidden_card_depends_on_nothing_hidden() -> None:
    """With what the others hide dealt anew, placing or keeping a card is told to all in the same words."""
    compared = 0
    for states in matches(2):
        for before, after in pairwise(states):
            _, seat, move = after.origin
            if move == "keep" or (before.phase.name == "Placement" and move is not STRIKE_OUT):
                other = before.resample(seat, Rng(1))
                again = other.read(seat, before.answer_of(seat, move)).next_state
                assert _public(after.events) == _public(again.events)
                compared += 1
    assert compared > 100


def _public(events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if event.audience is None]


def test_resampling_deals_others_hands_anew() -> None:
    state = State.begin(seed=1)
    other = state.resample(0, Rng(5))
    assert other.hands[0] == state.hands[0]
    assert other.removed[0] == state.removed[0]
    assert other.hands[1:] != state.hands[1:]
    assert state.resample(None, Rng(5)).hands[0] != state.hands[0]
    assert other.events == ()


def test_events_tell_what_happened() -> None:
    state = play(position("A:Soldier* B:Ambush(2) C:Lord"), {"target": "position 2"})
    texts = [event.text for event in state.events]
    assert texts == [
        "P-0's Soldier eliminates P-1's hidden card at position 2: it was the Ambush, 2 tokens lost. P-0 gets 1 point.",
        "P-1's Ambush brings 4 points and P-0's Soldier leaves too.",
        "P-2's hidden card at position 1 is next.",
    ]
    assert drawn(state) == "C:Lord"


def test_events_name_the_player_in_the_third_person() -> None:
    for states in matches(2):
        texts = [event.text for state in states for event in state.events]
        assert any(text.startswith("The card that P-0 places ") for text in texts)
        assert not [text for text in texts if {"you", "your"} & set(text.lower().split())]


def test_a_strike_out_costs_a_point_but_never_below_none() -> None:
    state = position("A:Spy B:Lord")
    after = state.strike_out(0)
    penalty = after.events[0]
    assert (penalty.kind, penalty.data) == ("penalty", {"seat": 0, "points": -1})
    assert after == state.strike_out(0)
    poor = position("A:Spy B:Lord", points=(0, 1, 1)).strike_out(0)
    assert poor.events[0].data["points"] == 0
    assert min(poor.scores) >= 0


def test_the_presets_set_what_the_rules_say() -> None:
    assert next(iter(GAME.presets)) == "first-edition"
    rules = GAME.begin(rules="revised").setup.options
    assert (rules.decree_stacking, rules.ambush_own, rules.assassination_self) == (
        "forbidden",
        "one_point_attacker_stays",
        True,
    )
