"""What holds in every match of Coup, and the phase graph proven by play."""

from __future__ import annotations

import os
import pickle
import random
import re
from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.coup import GAME, State
from games.coup.cards import DECK, Hand
from games.coup.phases import PHASES
from games.testing.random_play import walk
from tests.games.coup.positions import cards_of

EDGES = {(phase.id, edge.to) for phase in PHASES for edge in phase.edges}
SOURCE = """0>1 1>2 2>3 3>4 3>10 3>20 3>21 4>5 4>11 4>12 4>20 4>22 5>6 5>9 6>7 7>8 8>11 8>12 8>20 8>22 9>23 10>13 10>20 11>13
11>21 12>13 12>20 13>14 13>19 14>15 14>18 15>16 16>17 17>19 18>20 18>21 18>20 19>23 20>23 21>23 22>23 23>99 23>24 24>2"""
RULINGS = {(8, 99), (17, 99), (18, 99), (8, 23), (8, 20), (18, 23), (23, 99)}

SEEDS = 800 if "TABLETOP_CAMPAIGN" in os.environ else 50

SETTINGS: list[dict[str, Any]] = [
    {},
    {"rules": "official"},
    {"refund_on_challenge": False, "steal_from_exiled": False},
    {"steal_requires_coins": True, "may_concede": True},
    {"max_turns": 7, "block_challenge_order": "from_actor"},
]


def test_the_phases_are_those_of_the_source() -> None:
    assert [phase.id for phase in PHASES] == [*range(25), 99]
    assert PHASES.by_id(10).name == "Block Window — Foreign Aid"
    of_source = Counter((phase.id, edge.to) for phase in PHASES for edge in phase.edges if edge.ruling is None)
    assert of_source == Counter(tuple(map(int, edge)) for edge in re.findall(r"(\d+)>(\d+)", SOURCE))
    assert {(phase.id, edge.to) for phase in PHASES for edge in phase.edges if edge.ruling} == RULINGS


def test_the_diagram_marks_the_rulings() -> None:
    assert 'p8 -.->|"the loss leaves one player (K-C13)"| p99' in PHASES.to_mermaid()


@pytest.mark.parametrize("players", GAME.players)
def test_cards_are_conserved_and_coins_never_negative(players: int) -> None:
    for seed, setting in product(range(SEEDS), SETTINGS):
        for state in walk(GAME.begin(players=players, seed=seed, **setting), random.Random(seed), 0.05 * (seed % 2)):
            assert isinstance(state, State)
            assert cards_of(state) == Counter(DECK)
            assert min(state.coins) >= 0
            assert max(state.coins) <= 12  # rule 19
            assert all(coins == 0 or hand.down for coins, hand in zip(state.coins, state.hands, strict=True))


def test_a_drafted_match_keeps_its_seven_cards() -> None:  # rule 3
    for seed in range(60):
        first, *rest = walk(GAME.begin(players=2, seed=seed, draft=True), random.Random(seed), 0.02)
        assert isinstance(first, State)
        assert cards_of(first).total() == 5
        last = rest[-1]
        assert isinstance(last, State)
        whole = cards_of(last)
        assert whole.total() == 7
        for state in rest[1:]:
            assert isinstance(state, State)
            assert cards_of(state) == whole


@pytest.mark.parametrize("players", GAME.players)
def test_transitions_are_edges_and_every_edge_is_taken(players: int) -> None:
    # With two players the target's death leaves one player, so the match ends before K-C4 or K-C5 can apply.
    never = {(8, 23), (18, 23)} if players == 2 else set()
    taken: set[tuple[int, int]] = set()
    for seed in range(700):
        at = 0
        limit = {"max_turns": 5} if seed % 50 == 0 else {}
        for state in walk(GAME.begin(players=players, seed=seed, **limit), random.Random(seed)):
            for to in state.path:
                taken.add((at, to))
                at = to
            assert at == state.phase_id
        if taken == EDGES or (seed > 250 and taken == EDGES - never):
            break
    assert taken == EDGES - never


def test_a_match_runs_through_pickle_and_json() -> None:
    for state in walk(GAME.begin(players=4, seed=2), random.Random(2)):
        assert pickle.loads(pickle.dumps(state)) == state
        assert GAME.from_json(state.to_json()) == state


def test_a_long_match_can_be_compared_hashed_and_written() -> None:
    state = GAME.begin(players=2, seed=2)
    for _ in range(3000):
        words = {action.to_json().get("response", action.to_json().get("action")): action for action in state.actions}
        action = words.get("steal") or words.get("block as Captain") or words.get("pass") or state.actions[0]
        state = action.next_state
    again = GAME.from_json(state.to_json())
    assert again == state
    assert hash(again) == hash(state)


@given(st.tuples(*[st.sampled_from(sorted(set(DECK)))] * 2), st.tuples(st.booleans(), st.booleans()))
def test_a_hand_is_one_object_whatever_way_it_is_reached(slots: tuple[str, str], up: tuple[bool, bool]) -> None:
    hand = Hand.of(slots, up)
    assert Hand.read(hand.code) is hand
    assert pickle.loads(pickle.dumps(hand)) is hand
    assert sorted(hand.down + hand.shown) == sorted(slots)
    for card in hand.choices:
        lost = hand.lose(card)
        assert Counter(lost.shown) == Counter([*hand.shown, card])
        assert len(lost.down) == len(hand.down) - 1
        assert hand.keep(hand.down) is hand
