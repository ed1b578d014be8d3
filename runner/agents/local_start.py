"""Local start: the servers of the model files in the seats of matches, each with room for the prompts to be expected."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from games.core import Game, Setup
from runner.agents.environment import Settings
from runner.agents.protocol import Ask
from runner.agents.resolve import model_of
from runner.agents.rollouts import rollouts
from runner.agents.spec import Local, ModelSpec, Named, Spec
from runner.agents.wording import wording_agent
from runner.llm.local_model import LocalModel, server_plan
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.llm.request import Model

_LETTERS_A_TOKEN = 3.2
"""Characters per token of a tokenizer with a small vocabulary."""

_GROWTH = 1.25
"""How much longer prompts may be than those of a match between bots."""

_CORRECTIONS = 600
"""Tokens of two invalid answers and what was wrong with them."""


class Table(NamedTuple):
    """The seats of a match, or of all matches of a kind."""

    game: Game
    setup: Setup
    specs: Sequence[Spec]


class _Seat(NamedTuple):
    """A seat with a model file."""

    table: Table
    spec: ModelSpec
    model: Model
    local: LocalModel


async def start_local(tables: Iterable[Table], pack: PromptPack, settings: Settings, at_once: int = 1) -> None:
    """Start the server of each model file in these seats that has none yet. `at_once` is how many matches run at once.

    AccountError when a model cannot be loaded, or when its context or the memory is too small.
    """
    seats: dict[str, list[_Seat]] = defaultdict(list)
    for table in tables:
        for seat in _seats(table, settings):
            seats[seat.model.base_url].append(seat)
    if not seats:
        return
    from runner.llm.local_servers import servers

    for found in seats.values():
        if not servers.has(found[0].local):
            kinds = {(seat.table.game.name, seat.table.setup.players, seat.spec): seat for seat in found}
            prompt = max(_longest_prompt(seat, pack, settings) for seat in kinds.values())
            reply = max(seat.model.max_tokens + _memory(seat, pack, settings) for seat in found)
            await servers.start(server_plan([seat.local for seat in found], prompt, reply, len(found) * at_once))


def local_models(specs: Iterable[Spec], settings: Settings) -> list[tuple[ModelSpec, Model]]:
    """The seats with a model file. TabletopError for a file that holds no model."""
    found: list[tuple[ModelSpec, Model]] = []
    for spec in specs:
        if isinstance(spec, Local) or (isinstance(spec, Named) and settings.agents[spec.name].is_local):
            found.append((spec, model_of(spec, settings)))
    return found


def _seats(table: Table, settings: Settings) -> list[_Seat]:
    found = []
    for spec, model in local_models(table.specs, settings):
        assert model.local is not None
        found.append(_Seat(table, spec, model, model.local))
    return found


def _memory(seat: _Seat, pack: PromptPack, settings: Settings) -> int:
    return wording_agent(seat.spec, pack, seat.table.setup, settings).most_memory_tokens


def _longest_prompt(seat: _Seat, pack: PromptPack, settings: Settings) -> int:
    """The tokens that a prompt of this seat may have, from the longest of a match between bots."""
    game, setup, _ = seat.table
    agent = wording_agent(seat.spec, pack, setup, settings)
    (match,) = rollouts([game.begin(setup.players, setup.seed, setup.rules, **setup.options.to_json())]).matches
    letters = 0
    for number, step in enumerate(match):
        for asked in step.seats:
            ask = Ask.of(step.state, asked, number)
            question = agent.question(ask)
            messages = agent.messages(ask, question)
            letters = max(letters, sum(len(one["content"]) for one in messages) + len(json.dumps(question.schema)))
    return round(letters / _LETTERS_A_TOKEN * _GROWTH) + _CORRECTIONS
