"""What holds for the numbers of every game, at every number of players."""

from __future__ import annotations

import random

import pytest

import games
from games.core import OptionError, Rng
from games.learning.encoding import PlainEncoding, encoding

TABLES = [pytest.param(name, players, id=f"{name}-{players}") for name in games.names() for players in games.load(name).players]


@pytest.mark.parametrize(("name", "players"), TABLES)
@pytest.mark.parametrize("is_plain", [False, True], ids=["own", "plain"])
def test_numbers_have_the_promised_shape_and_go_back_to_their_actions(name: str, players: int, is_plain: bool) -> None:
    code, rng = PlainEncoding() if is_plain else encoding(name, players), random.Random(players)
    assert sum(segment.size for segment in code.legend) == code.size
    state, turn = games.load(name).begin(players=players, seed=players), 0
    while not state.has_ended:
        if turn % 3 == 0:
            seat = rng.choice(state.pending)
            numbers = [code.number(action) for action in state.actions_of(seat)]
            assert len(set(numbers)) == len(numbers)
            mask = code.mask(state, seat)
            assert len(mask) == code.actions
            assert [number for number, legal in enumerate(mask) if legal] == sorted(numbers)
            number = rng.choice(numbers)
            assert code.number(code.action(state, seat, number)) == number
            assert len(code.observe(state, seat)) == code.size
        state, turn = rng.choice(state.actions).next_state, turn + 1
    assert not any(code.mask(state, 0))
    assert all(isinstance(number, int) for number in code.observe(state, 0))


@pytest.mark.parametrize(("name", "players"), TABLES)
@pytest.mark.parametrize("is_plain", [False, True], ids=["own", "plain"])
def test_what_a_seat_cannot_know_never_changes_its_numbers(name: str, players: int, is_plain: bool) -> None:
    code, rng = PlainEncoding() if is_plain else encoding(name, players), random.Random(players)
    state, turn = games.load(name).begin(players=players, seed=1), 0
    while not state.has_ended:
        if turn % 9 == 0:
            for seat in range(players):
                other = state.resample(seat, Rng(turn))
                assert code.observe(other, seat) == code.observe(state, seat)
                assert code.mask(other, seat) == code.mask(state, seat)
        state, turn = rng.choice(state.actions).next_state, turn + 1


def test_an_unknown_game_or_player_count_gets_one_sentence() -> None:
    with pytest.raises(OptionError, match="There is no game"):
        encoding("chess")
    with pytest.raises(OptionError, match="2 to 6 players"):
        encoding("coup", players=9)


def test_a_decision_with_more_answers_than_numbers_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.learning.encoding._ACTIONS", 1)
    state = games.load("coup").begin(players=2, seed=1)
    with pytest.raises(OptionError, match=r"Coup has 5 legal actions in a decision.*Game\.encoding"):
        PlainEncoding().legal(state, state.pending[0])
