"""What is hidden stays hidden: in views, questions, refusals and events."""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice

from games.cat_in_the_box import State
from games.cat_in_the_box.board import RED
from games.cat_in_the_box.phases import DISCARD, PARADOX, PLAY
from games.cat_in_the_box.resample import excluded_ranks
from games.core import Action, IllegalAction, Rng
from tests.games.cat_in_the_box.drawing import draw
from tests.games.cat_in_the_box.playing import SETTINGS, states, walk
from tests.games.cat_in_the_box.test_counts import cards

EVERY = 1 if "TABLETOP_CAMPAIGN" in os.environ else 7
"""One of that many states is compared with another world of it."""


def refusals(state: State, seat: int) -> list[str]:
    """What the seat hears about each answer that could be tried."""
    heard = []
    tries = [{"rank": rank} for rank in range(1, 10)] if state.phase_id == DISCARD else [{"bid": 7}]
    tries += [{"play": f"{colour} {rank}"} for colour in ("red", "green") for rank in range(1, 10)]
    for answer in tries:
        try:
            state.read(seat, answer)
        except IllegalAction as refusal:
            heard.append(str(refusal))
    return heard


def test_dealing_the_hidden_cards_anew_changes_nothing_a_seat_can_see():
    changed = 0
    for number, state in enumerate(islice(states(seeds=range(1), strikes=7), 0, None, EVERY)):
        seat = (None, *state.rules.seats)[number % (state.rules.players + 1)]
        other = state.resample(seat, Rng(number))
        assert other.view(seat) == state.view(seat)
        assert Counter(cards(other.to_json())) == Counter(cards(state.to_json()))
        assert State.from_json(other.to_json()) == other
        changed += other.hands != state.hands
        if seat in state.pending:
            assert other.question(seat) == state.question(seat)
            assert refusals(other, seat) == refusals(state, seat)
    assert changed > 50


def test_a_dealt_anew_match_goes_on_to_its_end():
    for players, options in SETTINGS:
        for number, state in enumerate(walk(players, 5, **options)):
            if number % 9 == 0:
                rng = Rng(number)
                other = state.resample(number % players, rng)
                while not other.has_ended:
                    other = rng.choice(other.actions).next_state


def test_the_true_deal_is_never_ruled_out():
    for state in states(seeds=range(3)):
        for hand, excluded in zip(state.hands, excluded_ranks(state), strict=True):
            assert not hand & excluded


def avoid_red(state: State, seat: int, rng: Rng) -> Action:
    """Anything but red, and rather not the led colour: this is how leaders come to have nothing but red."""

    def reluctance(action: Action) -> int:
        return 2 * (RED >> action.move & 1) + (state.led >> action.move & 1) if state.phase_id == PLAY else 0

    actions = state.actions_of(seat)
    least = min(map(reluctance, actions))
    return rng.choice([action for action in actions if reluctance(action) == least])


def test_a_leader_who_had_to_open_red_holds_nothing_else():
    opened = 0
    for seed in range(150):
        for state in walk(2, seed, avoid_red):
            if state.phase_id != PLAY or state.led or state.view(None)["red_broken"] or not state.playable & RED:
                continue
            opened += 1
            view, leader = state.view(None), state.actor
            colours = [colour for colour in view["x_tokens"][leader] if colour != "red"]
            others = {rank for colour in colours for rank, held in enumerate(view["board"][colour], 1) if held is None}
            after = state.actions[0].next_state
            assert ranks_of(excluded_ranks(after)[leader]) == others
            if after.phase_id == PLAY:
                assert not others & set(after.resample(1 - leader, Rng(seed)).to_json()["hands"][leader])
    assert opened > 5


def ranks_of(bits: int) -> set[int]:
    return {rank for rank in range(1, 10) if bits >> rank & 1}


def test_who_left_the_led_colour_because_following_is_compulsory_cannot_follow():
    left = 0
    for number, state in enumerate(states(seeds=range(3), settings=[(4, {"follow": "must"}), (2, {"follow": "must"})])):
        excluded = excluded_ranks(state)
        left += any(excluded)
        known = state.context.paradox
        for seat, hand in enumerate(state.resample(None, Rng(number)).hands):
            assert seat == known or not hand & excluded[seat]
    assert left


def test_who_is_to_play_and_in_no_paradox_has_a_play_in_every_deal():
    state = draw("""
            1 2 3 4 5 6 7 8
    red     B B B B B B B .
    blue    C C C C C C C .
    yellow  D D D D D D D .
    green   A A A A A A A .
    A: 8 8
    B: 1 1
    C: 2 2
    D: 4 4
    turn: A
    """)
    for seed in range(20):
        other = state.resample(1, Rng(seed))
        assert other.phase_id == PLAY
        assert 8 in other.to_json()["hands"][0]


def test_hidden_cards_come_in_every_order():
    state = State.begin(4, seed=9)
    dealt = {state.resample(0, Rng(seed)).hands for seed in range(300)}
    assert len(dealt) == 300
    assert {hands[0] for hands in dealt} == {state.hands[0]}


def test_nobody_sees_who_has_discarded_until_all_have():
    start = State.begin(4, seed=2)
    one = start.actions_of(2)[0].next_state
    for seat in (None, 0, 1, 3):
        assert one.view(seat) == start.view(seat)
    assert [event for event in one.events if event.audience is None] == []
    struck = start.strike_out(2)
    assert struck.view(0)["penalties"] == [{"seat": 2, "phase": "Discard", "answer": None}]


def test_what_is_told_to_a_seat_does_not_depend_on_what_it_cannot_know():
    compared = 0
    for number, before in enumerate(states(seeds=range(1))):
        for seat in before.pending[-1:]:
            after = before.actions_of(seat)[0].next_state
            elsewhere = before.resample(seat, Rng(number)).actions_of(seat)[0].next_state
            if PARADOX in (*after.path, *elsewhere.path) or after.round != before.round:
                continue  # a hand shown and a new deal are news for everybody
            compared += 1
            assert [e for e in after.events if e.reaches(seat)] == [e for e in elsewhere.events if e.reaches(seat)]
    assert compared > 300


def test_private_events_reach_their_seat_alone():
    private = {"hand", "discard"}
    for state in states(seeds=range(1), strikes=8):
        for event in state.events:
            assert (event.kind in private) == (event.audience is not None)
            if event.audience is not None:
                assert event.audience == (event.data["seat"],)


def test_a_spectator_has_nothing_of_its_own():
    for state in states(seeds=range(1), settings=SETTINGS[:5]):
        assert state.view(None)["own"] is None
        assert {key for key, value in state.view(0).items() if value != state.view(None)[key]} == {"seat", "own"}


def test_the_hand_of_a_paradox_is_known_to_all():
    for seed in range(10):
        *_, last = walk(4, seed)
        if last.context.paradox is not None:
            shown = last.view(None)["paradox"]
            assert shown["hand"] == last.to_json()["hands"][shown["seat"]]
            assert last.resample(None, Rng(1)).hands[shown["seat"]] == last.hands[shown["seat"]]
