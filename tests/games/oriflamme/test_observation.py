"""Positions and actions as numbers."""

from __future__ import annotations

import random

import pytest

from games.core import Rng
from games.oriflamme import State
from games.oriflamme.observation import ACTIONS, LEGEND, SIZE, action_id, action_of, legal_mask, observation
from tests.games.oriflamme.positions import play, position


def part(name: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
    (at,) = [index for index, segment in enumerate(LEGEND) if segment.name == name]
    end = LEGEND[at + 1].start if at + 1 < len(LEGEND) else SIZE
    return numbers[LEGEND[at].start : end]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_state_has_an_observation_and_distinct_action_ids(players: int) -> None:
    chance = random.Random(players)
    for seed in range(4):
        state = State.begin(players=players, seed=seed)
        while not state.has_ended:
            for seat in range(players):
                numbers = observation(state, seat)
                assert len(numbers) == SIZE
                assert observation(state.resample(seat, Rng(seed)), seat) == numbers
            ids = [action_id(action) for action in state.actions]
            assert len(set(ids)) == len(ids)
            assert all(0 <= number < ACTIONS for number in ids)
            mask = legal_mask(state)
            assert [number for number, legal in enumerate(mask) if legal] == sorted(ids)
            action = chance.choice(state.actions)
            assert action_of(state, action_id(action)) == action
            state = action.next_state
        assert not any(legal_mask(state))
        assert len(observation(state, 0)) == SIZE


def test_the_legend_says_where_things_stand() -> None:
    state = position("[B:Lord* / B:Spy(1)] A:Heir(2)", at=2, points=(3, 4, 5))
    numbers = observation(state, 0)
    assert part("players", numbers) == (3,)
    assert part("points", numbers) == (3, 4, 5, 0, 0)
    assert part("points", observation(state, 1)) == (4, 5, 3, 0, 0)
    assert part("pointer", numbers) == (2,)
    assert part("actor", numbers) == (1, 0, 0, 0, 0)
    assert part("phase", numbers)[1] == 1
    queue = part("queue", numbers)
    assert queue[:8] == (2, 5, 1, 0, 2, 0, 0, 1)
    assert queue[24:28] == (1, 4, 0, 2)
    assert part("queue", observation(state, 1))[4:8] == (1, 3, 0, 1)
    assert sum(part("hand", numbers)) == 5


def test_ids_are_what_the_documentation_says() -> None:
    state = play(position("B:Spy A:Decree A:Lord", at=2), {"choice": "reveal"})
    base = 320 + 2 + 30 + 5
    assert action_id(state.read(0, {"card": "position 1", "to": "back"})) == base + 30
    assert action_id(state.read(0, {"card": "position 3", "to": "front"})) == base + 2 * 61
    assert action_id(state.read(0, {"card": "position 3", "to": "on position 2"})) == base + 2 * 61 + 32
    hidden = position("B:Spy")
    assert [action_id(action) for action in hidden.actions] == [320, 321]
    assert base + 30 * 61 == ACTIONS
    with pytest.raises(ValueError, match="no legal action"):
        action_of(hidden, 5)


def test_a_deep_queue_fits() -> None:
    state = position(" ".join(f"{seat}:{card}" for seat in "ABCDE" for card in ("Spy", "Heir", "Lord")), players=5)
    assert len(observation(state, 4)) == SIZE
