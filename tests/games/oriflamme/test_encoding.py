"""Positions and actions as numbers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.core import Rng
from games.oriflamme import GAME, State
from games.oriflamme.encoding import OriflammeEncoding
from tests.games.oriflamme.positions import play, position

THREE = OriflammeEncoding(3, GAME.begin().setup.options)


def observed(state: State, seat: int) -> dict[str, tuple[int, ...]]:
    """The observation of a match of three, by the names of the legend."""
    numbers = THREE.observe(state, seat)
    return {part.name: numbers[part.start : part.start + part.size] for part in THREE.legend}


def number(state: State, seat: int, answer: dict[str, Any]) -> int:
    return THREE.number(state.read(seat, answer))


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("options", [{}, {"rules": "revised"}, {"spy_may_pick_self": True, "decree_null_move": True}])
def test_every_state_has_an_observation_and_distinct_action_numbers(players: int, options: dict[str, Any]) -> None:
    chance = random.Random(players)
    for seed in range(1):
        state = State.begin(players=players, seed=seed, **options)
        code = OriflammeEncoding(players, state.rules)
        while not state.has_ended:
            for seat in range(players):
                observation = code.observe(state, seat)
                assert len(observation) == code.size
                assert all(type(number) is int and number >= 0 for number in observation)
                assert code.observe(state.resample(seat, Rng(seed)), seat) == observation
                legal = {code.number(action) for action in state.actions_of(seat)}
                assert len(legal) == len(state.actions_of(seat))
                assert legal <= set(range(code.actions))
                assert {at for at, is_legal in enumerate(code.mask(state, seat)) if is_legal} == legal
            assert all(code.action(state, state.actor, code.number(action)) == action for action in state.actions)
            state = chance.choice(state.actions).next_state
        assert not any(code.mask(state, 0))
        assert len(code.observe(state, 0)) == code.size


def test_the_legend_says_where_things_stand() -> None:
    state = position("[B:Lord* / B:Spy(1)] A:Heir(2)", at=2, points=(3, 4, 5))
    own, other = observed(state, 0), observed(state, 1)
    assert own["points"] == (3, 4, 5)
    assert other["points"] == (4, 5, 3)
    assert own["pointer"] == (2,)
    assert own["actor"] == (1, 0, 0)
    assert own["phase"][1] == 1
    assert own["queue"][:8] == (2, 5, 1, 0, 2, 0, 0, 1)
    assert own["queue"][24:28] == (1, 4, 0, 2)
    assert other["queue"][4:8] == (1, 3, 0, 1)
    assert sum(own["hand"]) == 5


def test_action_numbers_are_what_the_documentation_says() -> None:
    start = State.begin()
    card = start.view(0)["own"]["hand"][0]
    slot = start.rules.card_types.index(card)
    assert number(start, 0, {"card": card, "place": "front"}) == 20 * slot
    hidden = position("B:Spy")
    assert [THREE.number(action) for action in hidden.actions] == [200, 201]
    assert number(position("A:Soldier* B:Spy"), 0, {"target": "position 2"}) == 202 + 1
    assert number(position("C:Heir A:Spy* B:Spy", at=2), 0, {"target": "P-2"}) == 220 + 2
    state = play(position("B:Spy A:Decree A:Lord", at=2), {"choice": "reveal"})
    assert number(state, 0, {"card": "position 1", "to": "back"}) == 223 + 18
    assert number(state, 0, {"card": "position 3", "to": "front"}) == 223 + 2 * 37
    assert number(state, 0, {"card": "position 3", "to": "on position 2"}) == 223 + 2 * 37 + 18 + 1 + 1
    assert THREE.actions == 223 + 18 * 37
    with pytest.raises(ValueError, match="no legal action"):
        THREE.action(hidden, 1, 5)


def test_a_long_queue_and_a_high_stack_fit() -> None:
    five = OriflammeEncoding(5, GAME.begin().setup.options)
    state = position(" ".join(f"{seat}:{card}" for seat in "ABCDE" for card in ("Spy", "Heir", "Lord")), players=5)
    assert len(five.observe(state, 4)) == five.size
    high = position("[A:Spy / A:Heir* / A:Lord / A:Archer / A:Soldier / A:Ambush]", round=6)
    assert len(THREE.observe(high, 0)) == THREE.size
