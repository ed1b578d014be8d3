"""The built-in prompts, rendered over matches of every game, seat count and variant."""

from __future__ import annotations

import json
import os
import random
from functools import cache
from itertools import islice

import pytest

import games
from games.core import Game, Rng, State
from games.testing.random_play import begin, variants, walk
from runner.agents.own_fields import prompt_options
from runner.llm.request import Message
from runner.prompting.pack import PromptPack, prompt_context

PACK = PromptPack()
GAMES = [games.load(name) for name in games.names()]
TABLES = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game in GAMES
    for players in (game.players if "TABLETOP_CAMPAIGN" in os.environ else game.players[:: len(game.players) - 1])
]
"""Every number of players of each game in a campaign, else the fewest and the most."""

each_table = pytest.mark.parametrize(("game", "players"), TABLES)


def prompt(state: State, seat: int) -> list[Message]:
    question = state.question(seat)
    context = prompt_context(state.view(seat), question, prompt_options(state.setup), True)
    return PACK.render(state.game.name, question.role, context)


@cache
def corpus(name: str, players: int) -> list[State]:
    """States in which somebody decides, of every variant for the most players, of every third for fewer, and of those that the
    most cannot play."""
    game, found = games.load(name), list[State]()
    for seed, variant in enumerate(variants(game)):
        state = begin(game, players, seed, variant)
        full = begin(game, game.players[-1], seed, variant)
        if state is not None and (full is None or players == game.players[-1] or (seed - players) % 3 == 0):
            states = list(walk(state, random.Random(seed), 0.05))[:-1]
            found += states[:: max(1, len(states) // 5)]
    return found


@cache
def prompts(name: str, players: int) -> list[tuple[State, dict[int, list[Message]]]]:
    """These states, each with the prompts of the seats that decide."""
    return [(state, {seat: prompt(state, seat) for seat in state.pending}) for state in corpus(name, players)]


@each_table
def test_every_prompt_renders_is_short_and_names_the_legal_answers(game: Game, players: int) -> None:
    for state, prompted in prompts(game.name, players):
        for seat, messages in prompted.items():
            assert [message["role"] for message in messages] == ["system", "user"]
            text = messages[0]["content"] + messages[1]["content"]
            assert "{{" not in text
            assert len(text) < 40_000
            for name, field in state.question(seat).schema["properties"].items():
                assert f'"{name}"' in messages[1]["content"]
                for value in field.get("enum", ()):
                    assert json.dumps(value, ensure_ascii=False) in messages[1]["content"]


@each_table
def test_what_a_seat_cannot_know_never_changes_its_prompt(game: Game, players: int) -> None:
    for index, (state, prompted) in enumerate(prompts(game.name, players)[::2]):
        for seat, messages in prompted.items():
            assert prompt(state.resample(seat, Rng(index)), seat) == messages


@each_table
def test_the_first_message_is_the_same_all_match_long(game: Game, players: int) -> None:
    """What stays the same comes first, so that providers can cache it."""
    state = game.begin(players=players, seed=4)
    first: dict[str, str] = {}
    for step in islice(walk(state, random.Random(3)), 0, None, 3):
        for seat in step.pending:
            role = step.question(seat).role
            content = prompt(step, seat)[0]["content"]
            assert first.setdefault(role, content) == content
