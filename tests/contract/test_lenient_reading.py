"""Reading of answers that are not written exactly, in every game: no legal answer is ever read as another one."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

import games
from games.core import Answer, Game, IllegalAction, State
from games.testing.random_play import begin, variants, walk

GAMES = [games.load(name) for name in games.names()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def spellings(value: Any) -> Iterator[Any]:
    """Other spellings of a value; they may be those of another value too."""
    if isinstance(value, int):
        yield from (str(value), f" {value} ", float(value))
        return
    yield from (value.upper(), value.title(), f"  {value}\n", value.replace(" ", "_"), value.replace(" ", "  "), f"“{value}”")
    yield from (value.replace("-", ""), value.replace("-", " "), value.replace("-", "\N{NON-BREAKING HYPHEN}"), f'"{value}"')
    if value.startswith("P-"):
        yield from (value[2:], int(value[2:]))


def perturbed(answer: Answer, free: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """An answer in other forms, each with the same meaning if it has one."""
    for name, value in answer.items():
        for spelling in () if name in free else spellings(value):
            yield {**answer, name: spelling}
        yield {other: kept for other, kept in answer.items() if other != name}
        yield {**answer, name: None}
        yield {field.upper(): kept for field, kept in answer.items()}
    yield {"reasoning": "because", **answer}
    yield {"answer": answer}
    yield {"thoughts": {"why": "because"}, "answer": {**answer, "note": 1}}


def decisions(game: Game, players: int, seed: int) -> Iterator[tuple[State, int]]:
    """Every eighth decision of a match, the variants taken in turn."""
    ways = variants(game)
    state = begin(game, players, seed, ways[seed * 5 % len(ways)]) or game.begin(players=players, seed=seed)
    for number, each in enumerate(walk(state, random.Random(seed), 0.05)):
        if number % 8 == seed % 8:
            yield from ((each, seat) for seat in each.pending[:1])


def is_read_as(state: State, seat: int, data: object) -> Answer | None:
    try:
        return state.read(seat, data).to_json()
    except IllegalAction:
        return None


@each_game
def test_no_spelling_of_a_legal_answer_is_read_as_another_one(game: Game) -> None:
    read = total = 0
    for seed in range(len(variants(game)) if "TABLETOP_CAMPAIGN" in os.environ else 6):
        for state, seat in decisions(game, game.players[seed % len(game.players)], seed):
            legal = [action.to_json() for action in state.actions_of(seat)]
            for answer in random.Random(seed).sample(legal, min(2, len(legal))):
                assert state.read(seat, answer).is_exactly(answer)
                for data in perturbed(answer, game.free_text):
                    found, total = is_read_as(state, seat, data), total + 1
                    assert found in (answer, None), data
                    assert found is None or not state.read(seat, data).is_exactly(data) or data == answer
                    read += found is not None
    assert read > total / 2


@each_game
def test_the_words_of_refusals_and_readings_do_not_depend_on_hidden_information(game: Game) -> None:
    rng = games.core.Rng(5)
    for state, seat in decisions(game, game.players[-1], 1):
        other = state.resample(seat, rng)
        for data in perturbed(state.actions_of(seat)[0].to_json(), game.free_text):
            assert is_read_as(state, seat, data) == is_read_as(other, seat, data)


@each_game
@pytest.mark.parametrize("wrong", [True, False, 1e300, float("nan"), 10**400, [], {}, "no such thing", "-1", "1 2", "\ud800"])
def test_a_value_that_means_nothing_is_refused(game: Game, wrong: object) -> None:
    state = game.begin(seed=2)
    fields = state.question(state.pending[0]).schema["properties"]
    with pytest.raises(IllegalAction):
        state.read(state.pending[0], dict.fromkeys(fields, wrong))


@each_game
def test_two_answers_at_once_are_refused(game: Game) -> None:
    state = game.begin(seed=2)
    seat = state.pending[0]
    one, other = (action.to_json() for action in state.actions_of(seat)[:2])
    upper = {name.upper(): value for name, value in other.items()}
    for data in ({**one, **upper}, {"a": one, "b": other}, {**one, "answer": other}):
        with pytest.raises(IllegalAction):
            state.read(seat, data)


def test_the_type_of_an_exact_answer_counts() -> None:
    state = games.load("cat_in_the_box").begin(seed=2)
    rank = state.actions[0].to_json()["rank"]
    for same in (rank, float(rank), str(rank)):
        action = state.read(0, {"rank": same})
        assert json.dumps(action.to_json()) == json.dumps({"rank": rank})
        assert action.is_exactly({"rank": same}) == (type(same) is int)


def test_ids_that_differ_in_case_alone_are_never_confused() -> None:
    ids = [f"{'xX'[number % 2]}-{number // 2}" for number in range(40)]
    deck = [{"id": card, "genre": "g", "text": card} for card in ids]
    state = games.load("dixiquote").begin(players=3, seed=1, deck=deck)
    held = {action.to_json()["card"] for action in state.actions}
    for card in ids:
        assert is_read_as(state, 0, {"card": card}) == ({"card": card} if card in held else None)


def test_a_quote_is_never_changed_but_for_blanks_around_it() -> None:
    state = games.load("dixiquote").begin(players=3, seed=1)
    state = state.actions[0].next_state
    for quote in ("“Foreign_Aid  ”", " P1 ", "\N{NON-BREAKING HYPHEN}x", "NULL"):
        assert state.read(0, {"answer": {"Quote": quote, "why": 1}}).to_json() == {"quote": quote.strip()}
