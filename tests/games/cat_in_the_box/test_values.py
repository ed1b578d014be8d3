"""States are values: they compare, hash, pickle and go through JSON by what they hold."""

from __future__ import annotations

import json
import pickle
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from games.cat_in_the_box import State
from games.cat_in_the_box.board import ALL_CELLS, cells, largest_group, mask_of
from games.cat_in_the_box.cards import cards_of, counted, deck_of, hand_of, rank_counted, shuffled, without
from games.core import Rng
from tests.games.cat_in_the_box.playing import states, walk

ranks = st.lists(st.sampled_from([rank for rank in range(1, 10) for _ in range(5)]), max_size=11).filter(
    lambda hand: all(hand.count(rank) <= 5 for rank in hand)
)


def test_states_round_trip():
    for state in islice(states(seeds=range(1), strikes=8), 0, None, 7):
        again = State.from_json(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert hash(again) == hash(state)
        assert tuple(again.actions) == tuple(state.actions)
        assert again.events == ()
        unpickled = pickle.loads(pickle.dumps(state))
        assert unpickled == state
        assert unpickled.rules is state.rules


def test_states_that_differ_are_not_equal():
    match = list(walk(4, 1))
    assert len(set(match)) == len(match)
    assert State.begin(4, seed=1) == State.begin(4, seed=1)
    assert State.begin(4, seed=1) != State.begin(4, seed=2)


@given(ranks)
def test_a_hand_is_a_number_of_its_own(hand):
    assert cards_of(hand_of(hand)) == sorted(hand)
    assert hand_of(hand) == counted(sum(1 << 3 * (rank - 1) for rank in hand))
    assert hand_of(hand).bit_count() == len(hand)
    for rank in set(hand):
        fewer = list(hand)
        fewer.remove(rank)
        assert without(hand_of(hand), rank) == hand_of(fewer)


@given(st.integers(0, ALL_CELLS).map(lambda bits: bits & ALL_CELLS))
def test_the_cells_of_a_set(mask):
    assert mask_of(cells(mask)) == mask
    assert len(cells(mask)) == mask.bit_count()
    group = largest_group(mask)
    assert group & ~mask == 0
    assert bool(group) == bool(mask)


def test_every_order_of_a_deck_can_come():
    deck = deck_of(2)
    firsts = {tuple(map(rank_counted, shuffled(deck, Rng(seed))))[:3] for seed in range(200)}
    assert firsts == {(a, b, c) for a in (1, 2) for b in (1, 2) for c in (1, 2)}
    assert sorted(shuffled(deck, Rng(5))) == sorted(deck)
