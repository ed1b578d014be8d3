"""What a seat may know: views, private events, and dealing hidden cards again."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from games.core import Rng
from games.coup import GAME, State
from games.testing.random_play import walk
from tests.games.coup.positions import blocks, cards_of, challenges, does, loses, passes, play, position, shows


def matches(players: int, count: int, **options: Any) -> list[list[State]]:
    return [
        [
            state
            for state in walk(GAME.begin(players=players, seed=seed, **options), random.Random(seed), 0.02)
            if isinstance(state, State)
        ]
        for seed in range(count)
    ]


VARIANTS: list[dict[str, Any]] = [{}, {"rules": "official"}, {"may_concede": True}]


def test_a_view_has_what_everybody_knows_and_the_own_cards() -> None:
    state = play(position("3 As Du", "2 Ca (Am)", "2 Co Co"), does(0, "assassinate", 1), *passes(1, 2))
    view = state.view(1)
    assert view["own"] == {"cards": ["Captain"], "drawn": [], "returned": [], "picked": None}
    assert view["coins"] == [0, 2, 2]
    assert view["hand_sizes"] == [2, 1, 2]
    assert view["revealed"] == [[], ["Ambassador"], []]
    assert view["deck_size"] == 9
    assert view["stake"]["window"] == "block"
    assert view["stake"]["claim"] == "Assassin"
    assert view["hands"] is None
    assert state.view(None)["own"] is None


def test_an_answer_in_an_open_window_is_in_no_view_and_no_event_for_others() -> None:
    asked = play(position("3 As Du", "2 Ca Am", "2 Co Co", "2 Ca Am"), does(0, "tax"))
    passed = play(asked, *passes(2))
    for seat in (None, 0, 1, 3):
        assert passed.view(seat) == asked.view(seat)
    assert passed.question(1) == asked.question(1)
    assert [event.audience for event in passed.events] == [(2,)]


def test_the_history_tells_claims_challenges_and_proofs() -> None:
    state = play(
        position("3 As Du", "2 Ca Am", "2 Co Co"), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"), challenges(2)
    )
    state = play(state, shows(1, "Captain"), loses(2, "Contessa"))
    assert state.view(0)["history"] == [
        {
            "turn": 1,
            "actor": 0,
            "action": "steal",
            "target": 1,
            "claim": "Captain",
            "challenger": None,
            "verdict": None,
            "blocker": 1,
            "block": "Captain",
            "block_challenger": 2,
            "block_verdict": "proven",
            "losses": [{"seat": 2, "card": "Contessa"}],
            "outcome": "blocked",
        }
    ]


def test_only_the_actor_knows_what_an_exchange_drew_and_returned() -> None:
    state = play(position("3 Am Du", "2 Ca As", deck="Co As"), does(0, "exchange"), *passes(1))
    assert Counter(state.view(0)["own"]["drawn"]) == {"Assassin": 1, "Contessa": 1}
    assert state.view(1)["own"]["drawn"] == []
    assert "Contessa" not in json.dumps([state.view(1), state.view(None)])
    state = play(state, (0, {"keep": "Assassin, Duke"}))
    assert state.view(0)["own"]["returned"] == [{"turn": 1, "cards": ["Ambassador", "Contessa"]}]
    assert "Contessa" not in json.dumps([state.view(1), state.view(None)])


def test_every_hand_is_shown_at_the_end() -> None:
    state = matches(3, 1)[0][-1]
    assert state.view(None)["hands"] == [list(hand.slots) for hand in state.hands]
    assert state.view(None)["history"][-1]["turn"] == state.round


@pytest.mark.parametrize("players", GAME.players)
def test_dealing_anew_keeps_the_view_and_the_cards(players: int) -> None:
    variants = [*VARIANTS, {"draft": True}] if players == 2 else VARIANTS
    for variant in variants:
        for states in matches(players, 2 if players < 5 else 1, **variant):
            for number, state in enumerate(states):
                for seat in (None, *range(players)):
                    other = state.resample(seat, Rng.of(number, seat))
                    assert other.view(seat) == state.view(seat)
                    assert other.pending == state.pending
                    assert not state.picks or cards_of(other).total() == cards_of(state).total()
                    assert state.picks or cards_of(other) == cards_of(state)


@pytest.mark.parametrize("players", GAME.players)
def test_dealing_anew_gives_states_that_can_be_played_on(players: int) -> None:
    for variant in VARIANTS:
        for states in matches(players, 1, **variant):
            for number, state in enumerate(states[:-1]):
                other = state.resample(number % players, Rng(number))
                *_, last = walk(other, random.Random(number))
                assert last.has_ended


def test_who_is_to_show_a_card_has_it_in_every_deal() -> None:
    state = play(position("3 As Du", "2 Ca Am", "2 Co Co"), does(0, "tax"), challenges(1))
    hands = {state.resample(2, Rng(word)).hands[0].down for word in range(60)}
    assert all("Duke" in down for down in hands)
    assert len(hands) > 3


def test_who_was_caught_lacks_the_card_in_every_deal_until_drawing_again() -> None:
    state = play(position("3 As Co", "2 Ca Am", "2 Co Co"), does(0, "tax"), challenges(1), loses(0, "Contessa"))
    hands = {state.resample(2, Rng(word)).hands[0].down for word in range(60)}
    assert hands == {("Assassin",), ("Captain",), ("Ambassador",)}
    state = play(state, does(1, "income"), does(2, "income"), does(0, "exchange"), *passes(1, 2))
    state = play(state, (0, state.actions[0].to_json()))
    assert ("Duke",) in {state.resample(2, Rng(word)).hands[0].down for word in range(60)}


def test_a_card_seen_to_go_into_the_deck_is_there_in_every_deal() -> None:
    state = play(position("3 As Du", "2 Ca Am", "2 Co Co", "2 Ca Ca"), does(0, "tax"), challenges(1), shows(0, "Duke"))
    assert all("Duke" in state.resample(2, Rng(word)).deck for word in range(60))


def test_deals_differ_in_what_a_seat_cannot_know() -> None:
    state = position("3 As Du", "2 Ca Am", "2 Co Co")
    deals = {(other.hands[1].down, other.deck) for other in (state.resample(0, Rng(word)) for word in range(50))}
    assert len(deals) > 30
    assert len({state.resample(0, Rng(word)).word for word in range(50)}) == 50


def test_private_events_have_a_public_counterpart() -> None:
    kinds = {"picked": "pick", "replaced": "replacement", "drawn": "exchange", "kept": "exchanged"}
    seen = set()
    for states in [*matches(2, 30, draft=True), *matches(4, 10)]:
        for state in states:
            events = state.events
            for event in events:
                assert event.text.endswith(".")
                if event.audience is not None:
                    assert event.audience == (event.data["seat"],)
                    seen.add(event.kind)
                    public = [other.kind for other in events if other.audience is None]
                    assert event.kind not in kinds or kinds[event.kind] in public
    assert seen == {"dealt", "pass", *kinds}


def test_events_tell_what_happened() -> None:
    state = play(position("3 As Du", "2 Ca (Am)", "2 Co Co"), does(0, "assassinate", 1))
    assert [event.text for event in state.events] == [
        "P-0 claims Assassin, pays 3 coins and declares Assassinate against P-1.",
        "Phase 4: Action Challenge Window.",
    ]
    state = play(state, challenges(1), shows(0, "Assassin"))
    state = play(state, loses(1, "Captain"))
    assert [event.text for event in state.events if event.kind != "phase"] == [
        "P-1 turns up Captain.",
        "P-1 has no influence left and is out.",
        "P-1 is out already, so the assassination has no effect.",
        "Turn 2: P-2 has 2 coins.",
    ]


def test_the_claims_of_each_seat_are_counted_with_their_verdicts() -> None:
    state = play(
        position("3 As Du", "2 Ca Am", "2 Co Co"), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"), challenges(2)
    )
    state = play(state, shows(1, "Captain"), loses(2, "Contessa"), does(1, "income"), does(2, "tax"))
    assert state.view(None)["claims"] == [
        [{"turn": 1, "for": "steal", "character": "Captain", "verdict": None}],
        [{"turn": 1, "for": "block steal", "character": "Captain", "verdict": "proven"}],
        [{"turn": 3, "for": "tax", "character": "Duke", "verdict": None}],
    ]
