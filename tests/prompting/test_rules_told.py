"""The rules in a prompt follow every option: each value that changes play changes the text."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import games
from games.core import Game, State
from games.testing.random_play import begin
from runner.workshop.corpus import other_values
from tests.prompting.test_built_in import GAMES, prompt

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
