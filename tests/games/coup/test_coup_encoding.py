"""Observations say what views say, and action numbers stand for the legal actions."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.core import Rng, Segment, State
from games.coup import GAME
from games.coup.actions import ACTIONS
from games.coup.cards import CHARACTERS
from games.coup.encoding import TURNS, Encoding
from games.testing.random_play import walk
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows

Part = Any
each_table = pytest.mark.parametrize("players", GAME.players)


def encoding(players: int, **options: Any) -> Encoding:
    return Encoding(players, GAME.set_up(players, 0, None, options).options)


def states(players: int, count: int = 3, **options: Any) -> Iterator[State]:
    for seed in range(count):
        yield from walk(GAME.begin(players=players, seed=seed, **options), random.Random(seed), 0.02)


def part(code: Encoding, numbers: tuple[int, ...], name: str) -> Part:
    """A part of an observation in its shape."""
    (found,) = (segment for segment in code.legend if segment.name == name)
    values: list[Any] = list(numbers[found.start : found.start + found.size])
    for length in reversed(found.shape[1:]):
        values = [values[first : first + length] for first in range(0, len(values), length)]
    return values


def counts(cards: list[str]) -> list[int]:
    return [cards.count(character) for character in CHARACTERS]


def test_the_game_has_an_encoding() -> None:
    assert GAME.encoding is not None
    code = GAME.encoding(3, GAME.set_up(3, 0, None, {}).options)
    assert len(code.observe(GAME.begin(players=3), 0)) == code.size


@each_table
def test_the_legend_covers_every_number_once(players: int) -> None:
    code, end = encoding(players), 0
    for segment in code.legend:
        assert isinstance(segment, Segment)
        assert segment.start == end
        assert segment.meaning
        end += segment.size
    assert end == code.size


@each_table
def test_an_observation_says_what_the_view_says(players: int) -> None:
    code = encoding(players)
    for number, state in enumerate(states(players, may_concede=True)):
        seat = number % players
        numbers, view = code.observe(state, seat), state.view(seat)
        assert len(numbers) == code.size
        assert all(type(value) is int and value >= 0 for value in numbers)
        for name in ("coins", "alive", "hand_sizes"):
            assert part(code, numbers, name) == view[name]
        assert part(code, numbers, "turn") == [view["turn"]]
        assert part(code, numbers, "deck_size") == [view["deck_size"]]
        assert part(code, numbers, "observer").index(1) == seat
        assert part(code, numbers, "active").index(1) == view["active"]
        assert part(code, numbers, "phase").index(1) == min(view["phase"]["id"], 25)
        assert part(code, numbers, "revealed") == [counts(cards) for cards in view["revealed"]]
        assert part(code, numbers, "own_cards") == counts(view["own"]["cards"])
        assert part(code, numbers, "own_drawn") == counts(view["own"]["drawn"])
        claims = part(code, numbers, "claims")
        assert [sum(map(sum, found)) for found in claims] == [len(found) for found in view["claims"]]
        turns = [sum(turn) > 0 for turn in part(code, numbers, "history")]
        assert turns == [index < len(view["history"]) for index in range(TURNS)]
        assert any(part(code, numbers, "stake")) == (view["stake"] is not None)


@each_table
def test_different_views_have_different_observations(players: int) -> None:
    """Within the last turns an observation leaves out nothing that a view tells."""
    code = encoding(players, may_concede=True)
    found: dict[tuple[int, ...], str] = {}
    for state in states(players, may_concede=True):
        if state.round <= TURNS and not state.has_ended:
            view = json.dumps(state.view(0), sort_keys=True)
            assert found.setdefault(code.observe(state, 0), view) == view


def test_a_turn_with_a_block_and_a_challenge() -> None:
    code = encoding(3)
    state = play(position("3 As Du", "2 Ca Am", "2 Co Co"), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"))
    state = play(state, challenges(2))
    open_turn = part(code, code.observe(state, 0), "stake")
    state = play(state, shows(1, "Captain"), loses(2, "Contessa"))
    turn = part(code, code.observe(state, 0), "history")[0]
    action = [int(name == "steal") for name in ACTIONS]
    captain, contessa = ([int(name == character) for character in CHARACTERS] for name in ("Captain", "Contessa"))
    declared = [1, 0, 0, *action, 0, 1, 0]
    blocked = [0, 1, 0, *captain, 0, 0, 1]
    assert open_turn == [*declared, *[0] * 6, *blocked, *[0] * 3, *[0] * 4, *[0] * 15]
    assert turn == [*declared, *[0] * 6, *blocked, 1, 0, 0, 0, 1, 0, 0, *[0] * 10, *contessa]
    claims = part(code, code.observe(state, 0), "claims")
    assert claims[0][CHARACTERS.index("Captain")] == [1, 0, 0, 0]
    assert claims[1][CHARACTERS.index("Captain")] == [0, 1, 0, 0]


def test_what_an_exchange_drew_and_returned_is_in_the_actors_observation_alone() -> None:
    code = encoding(2)
    state = play(position("3 Am Du", "2 Ca As", deck="Co As"), does(0, "exchange"), *passes(1))
    assert part(code, code.observe(state, 0), "own_drawn") == counts(["Assassin", "Contessa"])
    assert part(code, code.observe(state, 1), "own_drawn") == [0] * 5
    state = play(state, (0, {"keep": "Assassin, Duke"}), does(1, "income"))
    assert part(code, code.observe(state, 0), "own_returned")[1] == counts(["Ambassador", "Contessa"])
    assert not any(map(any, part(code, code.observe(state, 1), "own_returned")))


def test_the_card_drafted_is_in_the_observation_of_its_seat_alone() -> None:
    code = encoding(2, draft=True)
    state = GAME.begin(players=2, draft=True)
    first = state.pending[0]
    state = play(state, (first, {"take": "Duke"}))
    assert part(code, code.observe(state, first), "own_pick") == counts(["Duke"])
    assert part(code, code.observe(state, 1 - first), "own_pick") == [0] * 5


@each_table
def test_what_a_seat_cannot_know_never_changes_its_observation(players: int) -> None:
    code, changed = encoding(players), 0
    for number, state in enumerate(states(players)):
        seat = number % players
        other = state.resample(seat, Rng(number))
        assert code.observe(other, seat) == code.observe(state, seat)
        changed += other != state
    assert changed > 20


@each_table
@pytest.mark.parametrize("options", [{}, {"may_concede": True}, {"draft": True}])
def test_numbers_stand_for_the_legal_actions(players: int, options: dict[str, Any]) -> None:
    code, known = encoding(players, **options), {}
    for state in states(players, **options):
        for seat in range(players):
            legal = state.actions_of(seat)
            numbers = [code.number(action) for action in legal]
            assert len(set(numbers)) == len(numbers)
            assert [number for number, is_legal in enumerate(code.mask(state, seat)) if is_legal] == sorted(numbers)
            assert len(code.mask(state, seat)) == code.actions
            for number, action in zip(numbers, legal, strict=True):
                assert code.action(state, seat, number) == action
                assert known.setdefault(number, action.to_json()) == action.to_json()


def test_a_number_of_no_legal_action_is_refused() -> None:
    code, state = encoding(2), position("2 Du As", "2 Am Am")
    assert code.action(state, 0, 0).to_json() == {"action": "income", "target": "none"}
    for seat, number in ((0, code.actions - 1), (0, code.actions), (0, -1), (1, 0)):
        with pytest.raises(ValueError, match="no legal action"):
            code.action(state, seat, number)


def test_an_observation_is_of_a_seat_of_the_match() -> None:
    with pytest.raises(ValueError, match="no seat 2"):
        encoding(2).observe(GAME.begin(players=2), 2)
