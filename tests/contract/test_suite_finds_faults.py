"""`games.testing.suite` finds what a game gets wrong: faults of each kind, put into each of our own."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import pytest

import games
from games.cat_in_the_box import resample as cat_worlds
from games.core import PHASE, Action, Event, Game, Phases, Question, Rng, State
from games.coup.belief import evidence as coup_evidence
from games.dixiquote import resample as quote_worlds
from games.oriflamme import resample as queue_worlds
from games.oriflamme.cards import kinds_of, set_of
from games.testing import suite
from games.testing.answers import never_legal
from games.testing.game_checks import GameChecks
from games.testing.random_play import walk
from games.testing.worlds import check_worlds

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


UNTOLD = "test_a_seat_cannot_tell_its_worlds_from_the_state"
DEALS = "test_worlds_of_a_deal_are_the_deals_that_show_the_seat_the_same"
DECISIONS = "test_worlds_after_a_decision_are_those_before_it_that_lead_there"
WORLDS = (UNTOLD, DEALS, DECISIONS)


@each_game
def test_worlds_that_are_the_true_state_are_found(game: Game) -> None:
    assert "all the same" in findings(with_methods(game, resample=lambda state, seat, rng: state), DEALS)
    for_seats = with_methods(
        game, resample=lambda state, seat, rng: state if seat is not None else game.state_type.resample(state, seat, rng)
    )
    assert "all the same" in findings(for_seats, DEALS)


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


PUBLICLY_EXCLUDED: dict[str, tuple[tuple[Any, str, Callable[..., Any]], str]] = {
    "coup": ((coup_evidence.Witness, "_find_of_other", see_no_lie), DECISIONS),
    "oriflamme": ((queue_worlds, "unseen", all_kinds), DECISIONS),
    "dixiquote": ((quote_worlds, "_pools", pools_of_all), UNTOLD),
}
"""Of each game: what is put in for what, and the test that finds it."""


@pytest.mark.parametrize("name", PUBLICLY_EXCLUDED)
def test_worlds_that_ignore_what_is_publicly_excluded_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault, finder = PUBLICLY_EXCLUDED[name]
    monkeypatch.setattr(*fault)
    assert findings(games.load(name), finder)


def agreeing(decisions: Sequence[tuple[State, State]]) -> list[bool]:
    """Whether the worlds of a spectator before and after each decision agree."""
    agreed = []
    for before, after in decisions:
        try:
            check_worlds(before, after, None, Rng(0))
        except AssertionError:
            agreed.append(False)
        else:
            agreed.append(True)
    return agreed


def test_worlds_with_ranks_that_a_play_has_just_excluded_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Cat in the Box such plays are rare: they alone are looked at."""
    game, plays = games.load("cat_in_the_box"), list[tuple[Any, Any]]()
    for seed in range(6):
        states = walk(game.begin(4, seed, follow="must"), random.Random(seed))
        shown = [(any(cat_worlds.excluded_ranks(cast("Any", state))), state) for state in states]
        plays += [(one, other) for (was, one), (now, other) in pairwise(shown) if now > was]
    assert all(agreeing(plays))
    monkeypatch.setattr(cat_worlds, "excluded_ranks", lambda position: [0] * position.rules.players)
    assert agreeing(plays).count(False) > 1


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


OFFERED = "test_a_schema_offers_only_values_of_legal_answers"


def offering(game: Game, change: Callable[[str, dict[str, Any]], dict[str, Any]]) -> Game:
    """The game with other fields in the schemas of its questions, each by its name."""

    def build_question(state: State, seat: int) -> Question:
        question = game.state_type.build_question(state, seat)
        fields = {name: change(name, field) for name, field in question.schema["properties"].items()}
        return question._replace(schema={**question.schema, "properties": fields})

    return with_methods(game, build_question=build_question)


@each_game
def test_a_value_that_no_legal_answer_has_is_found(game: Game) -> None:
    def one_more(name: str, field: dict[str, Any]) -> dict[str, Any]:
        more = 999 if field["type"] == "integer" else "nonesuch"
        return {**field, "enum": [*field["enum"], more]} if "enum" in field else field

    assert "no legal answer has" in findings(offering(game, one_more), OFFERED)


def test_a_value_that_is_legal_in_other_decisions_only_is_found() -> None:
    def always(name: str, field: dict[str, Any]) -> dict[str, Any]:
        return {**field, "enum": [*dict.fromkeys([*field["enum"], "coup"])]} if name == "action" else field

    assert "action: no legal answer has 'coup'" in findings(offering(games.load("coup"), always), OFFERED)


def test_an_integer_without_bounds_is_found() -> None:
    def unbound(name: str, field: dict[str, Any]) -> dict[str, Any]:
        return {"type": "integer"} if name == "rank" else field

    assert "rank: the schema takes every integer" in findings(offering(games.load("cat_in_the_box"), unbound), OFFERED)


@pytest.mark.parametrize(
    ("field", "legal", "wrong"),
    [
        ({"type": "boolean"}, [True, False], []),
        ({"type": "boolean"}, [True], ["x: no legal answer has False"]),
        ({"type": "boolean", "enum": [True]}, [True], []),
        ({"type": "string"}, ["a canned text"], []),
        ({"type": "integer", "enum": [1, 2]}, [2], ["x: no legal answer has 1"]),
    ],
)
def test_what_a_schema_offers_beside_legal_answers(field: dict[str, Any], legal: list[object], wrong: list[str]) -> None:
    assert list(never_legal({"properties": {"x": field}}, [{"x": value} for value in legal])) == wrong


EDGES = "test_every_transition_is_an_edge_and_every_edge_happens"
START = "a match starts in the first phase of the table, {!r}"


@pytest.mark.parametrize("game", [game for game in GAMES if game.name != "oriflamme"], ids=lambda game: game.name)
def test_a_deal_that_enters_the_first_phase_is_told_that_a_match_starts_there(game: Game) -> None:
    first, deal = game.phases[0], game.state_type.deal.__func__  # type: ignore[attr-defined]  # a class method

    def entering(cls: type[State], setup: Any, events: list[Event] | None) -> State:
        if events is not None:
            events.append(Event(PHASE, "The match begins.", {"to": first.id}))
        return cast(State, deal(cls, setup, events))

    assert START.format(first.name) in findings(with_methods(game, deal=classmethod(entering)), EDGES)


@each_game
def test_a_table_of_phases_in_another_order_is_told_which_one_is_first(game: Game) -> None:
    turned = replace(with_methods(game), phases=Phases(reversed(game.phases)))
    turned.state_type.game = turned
    assert START.format(game.phases[-1].name) in findings(turned, EDGES)


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
