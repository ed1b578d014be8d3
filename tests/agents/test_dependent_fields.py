"""What the schema says of fields that depend on one another is what is legal, and the offline model heeds it."""

from __future__ import annotations

import itertools
import json
import os
import random
from pathlib import Path

import pytest

import games
from games.core import State
from games.testing.random_play import begin, walk
from runner.agents.model_agent import LlmAgent
from runner.agents.own_fields import asked_question
from runner.agents.settings import SeatSettings
from runner.llm.client import Client
from runner.llm.offline import OFFLINE_URL, OfflineModel, fitting_values
from runner.llm.request import AnswerForm, Model
from runner.prompting.pack import PromptPack
from runner.record.reader import read_log
from tests.match.tables import match

MATCHES = 100 if "TABLETOP_CAMPAIGN" in os.environ else 1
"""Matches of each game with the offline model; `make campaign` plays more."""


def test_a_schema_allows_exactly_the_legal_answers() -> None:
    seen = 0
    for name, seed in itertools.product(games.names(), range(3)):
        state = games.load(name).begin(seed=seed)
        for reached in walk(state, random.Random(seed)):
            for seat in reached.pending:
                seen += checked(reached, seat)
    assert seen > 50


def checked(state: State, seat: int) -> bool:
    """Whether the question has several closed fields, all of whose allowed answers are the legal ones."""
    fields = asked_question(state.question(seat), SeatSettings()).schema["properties"]
    if len(fields) < 2 or not all("enum" in field for field in fields.values()):
        return False
    allowed: list[dict[str, object]] = [{}]
    for name, field in fields.items():
        allowed = [{**one, name: value} for one in allowed for value in fitting_values(field, one) or field["enum"]]
    legal = [action.to_json() for action in state.actions_of(seat)]
    assert sorted(map(json.dumps, allowed)) == sorted(map(json.dumps, legal))
    return True


@pytest.mark.parametrize("name", games.names())
async def test_the_offline_model_answers_legally(name: str, tmp_path: Path) -> None:
    game, forms, first = games.load(name), list(AnswerForm), games.names().index(name)
    for number in range(first, first + MATCHES):
        players = game.players[0] if number == first else random.Random(number).choice(game.players)
        variant = {"rules": list(game.presets)[number % len(game.presets)]}
        if begin(game, players, number, variant) is not None:
            path = tmp_path / f"{number}.jsonl"
            await play(name, players, number, variant, forms[number % len(forms)], path)
            assert {record["outcome"] for _, record in read_log(path).of_kind("attempt")} == {"answer"}


async def play(name: str, players: int, seed: int, variant: dict[str, str], form: AnswerForm, path: Path) -> None:
    async with Client(offline=OfflineModel(seed)) as client:
        model = Model("offline", OFFLINE_URL, "", "")
        agents = [LlmAgent(client, model, form, PromptPack(), SeatSettings()) for _ in range(players)]
        await match(name, agents, seed, path, **variant).run()
