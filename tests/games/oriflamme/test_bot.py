"""The steady bot's rules of thumb, and that they pay."""

from __future__ import annotations

from typing import Any

from games.core import Rng
from games.oriflamme import GAME, State
from games.oriflamme.cards import NUMBERS, TYPES, kinds_of
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


def test_it_places_characters_before_intrigues_and_covers_no_card_of_its_own() -> None:
    for seed in range(20):
        state = GAME.begin(seed=seed)
        while not state.has_ended and state.round < 4:
            action = steady(state, state.pending[0], Rng(seed))
            if state.phase_id == PLACEMENT:
                kind, place = action.move
                held = [TYPES[card] for card in kinds_of(state.hands[action.seat])]
                assert TYPES[kind].is_character or not any(card.name in ("Archer", "Soldier", "Heir") for card in held)
                assert place in (FRONT, BACK)
            state = action.next_state
