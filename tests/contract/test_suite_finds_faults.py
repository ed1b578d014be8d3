"""`games.testing.suite` finds what a game gets wrong: faults of each kind, put into each of our own."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import games
from games.cat_in_the_box import resample as cat_worlds
from games.core import Action, Game, Question, Rng, State
from games.coup.belief import evidence as coup_evidence
from games.dixiquote import resample as quote_worlds
from games.oriflamme import resample as queue_worlds
from games.oriflamme.cards import kinds_of, set_of
from games.testing import suite
from games.testing.game_checks import GameChecks

GAMES = [games.load(name) for name in games.names()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def findings(game: Game, *tests: str) -> str:
    """What the first of these tests of the suite that fails says; empty when none does."""
    checks = suite(game)()
    for name in tests:
        test = getattr(checks, name)
        numbers = game.players[:2] if inspect.signature(test).parameters else [None]
        for players in numbers:
            try:
                test(*[] if players is None else [players])
            except AssertionError as failed:
                return str(failed) or name
    return ""


def with_methods(game: Game, **methods: Any) -> Game:
    """The game with a state that has other methods."""
    return replace(game, state_type=type("State", (game.state_type,), {"__slots__": (), **methods}))


@pytest.fixture(autouse=True)
def sound_games() -> Iterator[None]:
    """A state type knows its game: the faulty ones have types of their own."""
    yield
    assert all(game.state_type.game is game for game in GAMES)


WORLDS = (
    "test_a_seat_cannot_tell_its_worlds_from_the_state",
    "test_worlds_of_a_deal_are_the_deals_that_show_the_seat_the_same",
    "test_worlds_after_a_decision_are_those_before_it_that_lead_there",
)


@each_game
def test_worlds_that_are_the_true_state_are_found(game: Game) -> None:
    assert "all the same" in findings(with_methods(game, resample=lambda state, seat, rng: state), *WORLDS)
    for_seats = with_methods(
        game, resample=lambda state, seat, rng: state if seat is not None else game.state_type.resample(state, seat, rng)
    )
    assert "all the same" in findings(for_seats, *WORLDS)


@each_game
def test_worlds_that_ignore_what_the_seat_was_shown_are_found(game: Game) -> None:
    assert findings(with_methods(game, resample=lambda state, seat, rng: game.state_type.resample(state, None, rng)), *WORLDS)


def all_kinds(position: Any, seat: int) -> tuple[int, ...]:
    return kinds_of(set_of(position.rules.card_types))


def see_no_lie(witness: Any, what: int, seat: int, card: str) -> None:
    if seat != witness._seat and what != coup_evidence.LACK:
        witness._find(what, seat, coup_evidence.KIND[card])


def pools_of_all(position: Any, seat: int | None, known: Any, rng: Rng) -> dict[int, list[int]]:
    return {0: [*rng.shuffled([card for card in range(len(position.options.deck)) if card not in position.table])]}


PUBLICLY_EXCLUDED: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "cat_in_the_box": (cat_worlds, "excluded_ranks", lambda position: [0] * position.rules.players),
    "coup": (coup_evidence.Witness, "_find_of_other", see_no_lie),
    "oriflamme": (queue_worlds, "unseen", all_kinds),
    "dixiquote": (quote_worlds, "_pools", pools_of_all),
}


@each_game
def test_worlds_that_ignore_what_is_publicly_excluded_are_found(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PUBLICLY_EXCLUDED[game.name])
    assert findings(game, *WORLDS)


@each_game
def test_worlds_with_the_seed_of_the_match_or_with_hidden_orders_are_found(game: Game) -> None:
    name = "test_a_world_follows_from_what_its_seat_knows_and_the_random_numbers"

    def reordered(state: Any, seat: int | None, rng: Rng) -> Any:
        drawn = Rng.of(rng.word, str(state.to_json()))
        return game.state_type.resample(state, seat, drawn)

    assert "a world depends on" in findings(with_methods(game, resample=reordered), name)
    faulty = with_methods(game)
    plain = game.state_type.resample
    state_type: Any = faulty.state_type
    state_type.resample = lambda state, seat, rng: plain(state, seat, rng)._replace(setup=state.setup)
    assert "the seed of the match" in findings(faulty, name)


@each_game
def test_a_value_that_no_legal_answer_has_is_found(game: Game) -> None:
    def build_question(state: State, seat: int) -> Question:
        question = game.state_type.build_question(state, seat)
        properties = dict(question.schema["properties"])
        for name, field in properties.items():
            if "enum" in field:
                more = 999 if field["type"] == "integer" else "nonesuch"
                properties[name] = {**field, "enum": [*field["enum"], more]}
        return question._replace(schema={**question.schema, "properties": properties})

    name = "test_every_value_of_a_schema_is_in_a_legal_answer_somewhere"
    assert findings(with_methods(game, build_question=build_question), name)


@each_game
def test_numbers_that_are_shared_are_found(game: Game) -> None:
    assert game.encoding is not None
    kind: Any = game.encoding

    class SharedActions(kind):  # type: ignore[misc]  # the encoding of any game
        def number(self, action: Action) -> int:
            return int(super().number(action)) // 2

    class SharedViews(kind):  # type: ignore[misc]  # the encoding of any game
        def observe(self, state: State, seat: int) -> tuple[int, ...]:
            return tuple(super().observe(state.resample(None, Rng(1)), seat))

    assert "number" in findings(replace(with_methods(game), encoding=SharedActions), "test_an_action_number_means_one_action")
    views = "test_views_that_differ_are_observed_in_other_numbers"
    assert "share their numbers" in findings(replace(with_methods(game), encoding=SharedViews), views)


@each_game
def test_a_bot_that_deals_the_seed_again_is_found(game: Game) -> None:
    def cheat(state: State, seat: int, rng: Rng) -> Action:
        setup = state.setup
        dealt = game.begin(setup.players, setup.seed, setup.rules, **setup.options.to_json())
        seen = random.Random(str([dealt.view(other)["own"] for other in range(setup.players)]))
        return seen.choice(state.actions_of(seat))

    faulty = replace(with_methods(game), bots={**game.bots, "cheat": cheat})
    assert "cheat looks behind" in findings(faulty, "test_bots_give_legal_answers_from_what_the_seat_knows")


def endless() -> None:
    while True:
        pass


def test_rules_that_never_end_fail_their_test() -> None:
    class Endless(GameChecks):
        game, seconds = GAMES[0], 0.2

    checks = Endless()
    checks.setup_method()
    try:
        with pytest.raises(TimeoutError, match="do the rules never end"):
            endless()
    finally:
        checks.teardown_method()
