"""The steady bot: what it chooses, and that it pays."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.core import Rng
from games.oriflamme import GAME, State
from games.oriflamme.bots import SOFTMAX
from games.oriflamme.cards import NUMBERS, TYPES
from games.oriflamme.phases import PLACEMENT
from games.oriflamme.stack import BACK, FRONT
from tests.games.oriflamme.positions import position

steady = GAME.bots["steady"]


def chosen(state: State, seed: int = 0) -> dict[str, Any]:
    assert state.actor is not None
    return steady(state, state.actor, Rng(seed)).to_json()


def test_it_spares_its_own_cards() -> None:
    assert chosen(position("A:Lord A:Soldier* B:Heir*", at=2)) == {"target": "position 3"}
    assert chosen(position("A:Archer* B:Lord C:Spy*")) == {"target": "position 3"}
    assert chosen(position("A:Lord(2) A:Soldier A:Heir*", at=2)) == {"choice": "keep"}


def test_it_lets_a_conspiracy_grow_and_cashes_in_at_the_end() -> None:
    assert chosen(position("A:Conspiracy(2) B:Spy", round=3)) == {"choice": "keep"}
    assert chosen(position("A:Conspiracy(2) B:Spy", round=6)) == {"choice": "reveal"}


def test_it_reveals_an_heir_that_pays() -> None:
    assert chosen(position("A:Heir B:Spy")) == {"choice": "reveal"}
    assert chosen(position("A:Heir B:Heir*")) == {"choice": "keep"}


def test_it_fears_an_ambush_that_may_be_there() -> None:
    """With the Ambush of B known to be gone, B's hidden card is the better target."""
    feared = position("C:Heir(1) A:Soldier* B:Heir(1)", at=2)
    ambush = 1 << NUMBERS["Ambush"]
    hands, removed = ((of[0], of[1] & ~ambush, of[2]) for of in (feared.hands, feared.removed))
    assert chosen(feared._replace(hands=hands, removed=removed)) == {"target": "position 3"}


def test_it_takes_from_those_who_have() -> None:
    assert chosen(position("B:Heir A:Spy* C:Lord", at=2, points=(1, 2, 6))) == {"target": "P-2"}


def test_it_beats_chance() -> None:
    won = 0.0
    for seed in range(30):
        state, turn = GAME.begin(seed=seed), 0
        while not state.has_ended:
            seat = state.pending[0]
            bot = steady if seat == seed % 3 else GAME.bots["random"]
            state = bot(state, seat, Rng.of(seed, turn)).next_state
            turn += 1
        won += (seed % 3 in state.winners) / len(state.winners)
    assert won > 18


def test_it_places_what_pays_often_first_and_covers_no_card() -> None:
    """In the first round rather a card that is resolved six times than an intrigue; and nothing on top of another card."""
    kinds, number = dict[str, float](), 20
    for seed in range(number):
        state = GAME.begin(seed=seed)
        assert state.phase_id == PLACEMENT
        for (kind, place), part in SOFTMAX.chances(state, 0):
            kinds[TYPES[kind].name] = kinds.get(TYPES[kind].name, 0) + part / number
            assert place in (FRONT, BACK)
    assert sum(kinds.values()) == pytest.approx(1)
    assert min(kinds["Archer"], kinds["Soldier"], kinds["Heir"]) > 5 * max(kinds["Assassination"], kinds["Royal Decree"])


def test_chances_are_how_often_moves_are_played() -> None:
    rng, expected, found = Rng(1), Counter[str](), Counter[str]()
    for seed in range(30):
        state = GAME.begin(players=4, seed=seed)
        while state.pending:
            seat = state.pending[0]
            action = steady(state, seat, rng)
            if SOFTMAX.ask(state, seat) is not None:
                chances = dict(SOFTMAX.chances(state, seat))
                assert sum(chances.values()) == pytest.approx(1)
                assert {*chances} <= {*state.legal_moves(seat)}
                expected.update({str(move): part for move, part in chances.items()})  # type: ignore[arg-type]  # parts of one
                found[str(action.move)] += 1
            state = action.next_state
    for move, times in expected.items():
        assert found[move] == pytest.approx(times, abs=4 * times**0.5 + 1), move
