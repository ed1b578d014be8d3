"""The rules in a prompt follow every option: each value that changes play changes the text, and the words that `options.toml`
lists for a value stand exactly while it is in force."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from typing import Any

import pytest

import games
from games.core import Game, State
from games.search.cases import other_values
from games.testing.random_play import begin
from runner.workshop.lint.option_checks import OptionPhrase, declared
from tests.prompting.test_built_in import GAMES, PACK, prompt

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

UNCHANGED = {
    ("dixiquote", "all_skipped_bonus", 1): "the bonus of the revised scoring is 1 anyway",
    ("oriflamme", "card_types", None): "a list of types: each has a text of its own",
    ("dixiquote", "deck", None): "a list of cards: those that a player sees are in the prompt",
}
"""Values that leave the rules of the default as they are, each with the reason."""

VALUES = [
    pytest.param(game, name, value, id=f"{game.name}-{name}-{value}")
    for game in GAMES
    for name, option in game.options.items()
    for value in (other_values(option) if option.convert is None else (None,))
    if (game.name, name, value) not in UNCHANGED
]


def rules(state: State | None) -> str | None:
    """The first message of a match."""
    return None if state is None else prompt(state, state.pending[0])[0]["content"]


@pytest.mark.parametrize(("game", "name", "value"), VALUES)
def test_a_value_that_changes_play_changes_the_rules(game: Game, name: str, value: object) -> None:
    for players, preset in itertools.product(game.players, game.presets):
        usual: dict[str, Any] = {"rules": preset}
        if rules(begin(game, players, 1, usual | {name: value})) not in (None, rules(begin(game, players, 1, usual))):
            return
    raise AssertionError(f"the rules of {game.title} are the same with {name}={value!r}")


@each_game
def test_every_choice_of_an_option_has_words_of_its_own_or_is_silent_with_a_reason(game: Game) -> None:
    told = declared(PACK, game)
    counted = {name for name, option in game.options.items() if option.minimum is not None or option.text}
    assert set(game.options) - told.silent - counted == {phrase.option for phrase in told.phrases} - counted


def holds(phrase: OptionPhrase, game: Game, options: dict[str, Any]) -> bool:
    """Whether the option has the value that a phrase is for; `*`: any but the default."""
    default = game.options[phrase.option].default
    value = options.get(phrase.option, default)
    return value != default if phrase.value == "*" else str(value).lower() == phrase.value


def told(phrases: Iterable[OptionPhrase], game: Game, players: int, options: dict[str, Any]) -> set[OptionPhrase]:
    """The phrases that stand in the rules of a match."""
    text = (rules(begin(game, players, 1, options)) or "").lower()
    return {phrase for phrase in phrases if phrase.words.lower() in text}


ONE_OF_SEVERAL = {("dixiquote", "score_floor"), ("dixiquote", "deck_end")}
"""Options whose words another option can make needless."""


@each_game
def test_the_words_of_a_value_stand_exactly_while_it_is_in_force(game: Game) -> None:
    phrases, rng, ever = declared(PACK, game).phrases, random.Random(3), set[OptionPhrase]()
    values = {name: [option.default, *other_values(option)] for name, option in game.options.items() if option.convert is None}
    for players in (game.players[0], game.default_players, game.players[-1]):
        usual = {phrase for name in values for value in values[name] for phrase in told(phrases, game, players, {name: value})}
        ever |= usual
        for _ in range(40):
            options = {name: rng.choice(of_one) for name, of_one in values.items()}
            due = {phrase for phrase in usual if holds(phrase, game, options)}
            stands = told(phrases, game, players, options)
            assert stands <= due, options
            assert {(game.name, phrase.option) for phrase in due - stands} <= ONE_OF_SEVERAL, options
    assert set(phrases) == ever, "words that stand nowhere"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "the Storyteller gets 1 point and no card scores"),
        ({"scoring": "original"}, "the Storyteller gets 3 points and no card scores"),
        ({"all_skipped_bonus": 7}, "the Storyteller gets 7 points and no card scores"),
        ({"storyteller_skip": "random_card"}, "A situation not yet chosen is drawn from the hand at random"),
        ({"storyteller_skip": "forfeit"}, "the round is forfeited: nobody plays a card or scores"),
        ({"refill_from": "new_storyteller"}, "in seat order, the next Storyteller first"),
        ({"deck_end": "empty"}, "or when refilling the hands leaves the deck empty"),
        ({"deck_end": "cannot_refill"}, "or when the deck cannot refill a hand to six cards"),
        ({"deck_end": "whole_cycle"}, "or after round 12."),
        ({"deck_end": "whole_cycle", "max_rounds": 3}, "The match ends after round 3."),
        ({"deck_end": "reshuffle"}, "the cards played so far are shuffled into a new deck"),
    ],
)
def test_dixiquote_tells_what_becomes_of_skipped_players_and_of_the_deck(options: dict[str, Any], said: str) -> None:
    assert said in str(rules(games.load("dixiquote").begin(players=4, seed=1, **options)))


def test_players_who_were_struck_out_are_named() -> None:
    state = games.load("dixiquote").begin(players=4, seed=1)
    while len(state.pending) < 3:
        state = state.actions[0].next_state
    state = state.strike_out(2)
    assert state.view(1)["skipped"] == [2]
    assert "\nSkipped for the rest of the phase: P-2.\n" in prompt(state, 1)[1]["content"]
    assert state.actions_of(1)[0].next_state.actions_of(3)[0].next_state.view(1)["skipped"] == []
