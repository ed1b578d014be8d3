"""Local start: the servers of the model files in the seats of matches, each with room for the prompts to be expected."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from games.core import Game, Setup
from runner.agents.environment import Environment
from runner.agents.model_seats import model_of, wording_agent
from runner.agents.protocol import DecisionRequest
from runner.agents.sample_matches import sample_matches
from runner.agents.settings import SeatSettings
from runner.agents.spec import ModelSpec, Spec, is_model
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.request import Model
    from runner.local.local_model import LocalModel

_CHARACTERS_A_TOKEN = 3.2
"""Characters per token of a tokenizer with a small vocabulary."""

_GROWTH = 1.25
"""How much longer prompts may be than those of a match between bots."""

_CORRECTIONS = 600
"""Tokens of two invalid answers and what was wrong with them."""


class MatchSeats(NamedTuple):
    """The seats of a match, or of all matches of a kind: who plays them, with which settings."""

    game: Game
    setup: Setup
    seats: Sequence[tuple[Spec, SeatSettings]]


class _Seat(NamedTuple):
    """A seat with a model file, and an agent that renders its prompts."""

    table: MatchSeats
    spec: ModelSpec
    settings: SeatSettings
    model: Model
    local: LocalModel
    agent: LlmAgent


async def start_local(tables: Iterable[MatchSeats], pack: PromptPack, environment: Environment, at_once: int = 1) -> None:
    """Start the server of each model file in these seats that has none yet. `at_once` is how many matches run at once.
    AccountError when a model cannot be loaded, or when its context or the memory is too small."""
    models = [(table, *found) for table in tables for found in local_models(table.seats, environment)]
    if not models:
        return
    from runner.local.local_model import joined
    from runner.local.servers import FileConnector

    seats: dict[str, list[_Seat]] = defaultdict(list)
    for table, spec, settings, model in models:
        assert isinstance(model.connector, FileConnector)
        agent = wording_agent(spec, pack, environment, settings)
        seats[model.base_url].append(_Seat(table, spec, settings, model, model.connector.model, agent))
    for found in seats.values():
        server = FileConnector(joined(seat.local for seat in found))
        if not server.is_running:
            kinds = {(seat.table.game.name, seat.table.setup.players, seat.spec, seat.settings): seat for seat in found}
            prompt = max(map(_longest_prompt, kinds.values()))
            reply = max(seat.model.max_tokens + seat.agent.most_memory_tokens for seat in found)
            await server.start(prompt, reply, len(found) * at_once)


def local_models(
    seats: Iterable[tuple[Spec, SeatSettings]], environment: Environment
) -> list[tuple[ModelSpec, SeatSettings, Model]]:
    """The seats with a model file. TabletopError for a file that holds no model."""
    return [
        (spec, settings, model_of(spec, environment, settings))
        for spec, settings in seats
        if is_model(spec) and spec.entry(environment).local_path is not None
    ]


def _longest_prompt(seat: _Seat) -> int:
    """The tokens that a prompt of this seat may have, from the longest of a match between bots."""
    game, setup, _ = seat.table
    (match,) = sample_matches([game.begin(setup.players, setup.seed, setup.rules, **setup.options.to_json())]).matches
    characters = 0
    for number, step in enumerate(match):
        for asked in step.seats:
            ask = DecisionRequest.of(step.state, asked, number)
            question = seat.agent.question(ask)
            messages = seat.agent.messages(ask, question)
            characters = max(characters, sum(len(one["content"]) for one in messages) + len(json.dumps(question.schema)))
    return round(characters / _CHARACTERS_A_TOKEN * _GROWTH) + _CORRECTIONS
