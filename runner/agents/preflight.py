"""Preflight: what comes before the first decision of models: the servers of model files, each with room for the prompts to be
expected, and checks of an endpoint, its key and its capabilities, with one decision for trial."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import games
from games.core import Game, IllegalAction, Setup, State
from games.search.sample_matches import sample_matches
from runner.agents.environment import Environment
from runner.agents.model_seats import ModelSpec, model_of, wording_agent
from runner.agents.protocol import AgentReply, DecisionRequest, unheard
from runner.agents.seat_kind import AgentContext, Spec
from runner.agents.settings import SeatSettings
from runner.errors import TabletopError
from runner.llm.budget import message_tokens
from runner.llm.offline import OFFLINE_URL
from runner.llm.request import OPENROUTER, Model
from runner.llm.strict_json import mapping
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.client import Client
    from runner.llm.model_list import Inspection, ModelEntry
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
        if isinstance(spec, ModelSpec) and spec.entry(environment).local_path is not None
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


OK, NOTE, WRONG = "ok", "note", "wrong"


class Check(NamedTuple):
    """The result of one check: `state` is ok, note (works, but worth knowing) or wrong."""

    state: str
    what: str


async def preflight(spec: ModelSpec, client: Client, environment: Environment, has_trial: bool) -> AsyncIterator[Check]:
    """Check a model until a check fails. Only the trial, the first question of a match of the first game, may cost money."""
    try:
        model = model_of(spec, environment)
        game = games.registered().games[0]
        state = game.begin()
        await start_local([MatchSeats(game, state.setup, [(spec, spec.settings(environment))])], PromptPack(), environment)
        inspection = await client.inspect(model)
        for found in _looked_at(model, inspection):
            yield found
            if found.state == WRONG:
                return
        context = AgentContext(game, state.setup, PromptPack(), environment, client=client)
        agent = await spec.make(spec.settings(environment), 0, context)
        ask = DecisionRequest.of(state, state.pending[0])
        supported = _supported(agent, inspection.entry, ask)
        yield supported
        if has_trial and supported.state != WRONG:
            known = agent.unsent_parameters
            yield _tried(await agent.answer(ask, unheard), state, ask.seat)
            if names := [name for name in agent.unsent_parameters if name not in known]:
                yield Check(NOTE, f"requests leave out {', '.join(names)} after a refusal")
            for note in agent.notes:
                yield Check(NOTE, f"requests {note}")
    except TabletopError as error:
        yield Check(WRONG, str(error))


async def key_check(client: Client, key: str, variable: str, address: str = OPENROUTER) -> list[Check]:
    """Whether an endpoint accepts a key, where no model says so."""
    model = Model("", address, key, variable)
    found = await client.inspect(model)
    if not found.is_reachable:
        return [Check(NOTE, f"is set and was not tried: {address} cannot be reached: {found.why}")]
    return _key(model, found)


def _looked_at(model: Model, found: Inspection) -> list[Check]:
    if not found.is_reachable:
        return [Check(WRONG, f"the endpoint {model.base_url} cannot be reached: {found.why}")]
    if model.base_url == OFFLINE_URL:
        return [Check(OK, "it is built in and needs neither endpoint nor key"), _listed(model, found)]
    if model.connector is not None:
        return _loaded(model)
    at = f"the endpoint {model.base_url}"
    there = f"{at} is reachable and lists {found.listed} models" if found.listed else f"{at} is reachable and keeps no list"
    return [Check(OK, there), *_key(model, found), _listed(model, found), *_bounded(model, found.entry)]


def _loaded(model: Model) -> list[Check]:
    from runner.local.local_model import in_bytes
    from runner.local.servers import FileConnector

    assert isinstance(model.connector, FileConnector)
    file = model.connector.model.file
    found = [Check(OK, f"llama.cpp has loaded the file, {in_bytes(file.size)}, SHA-256 {file.sha256}; it costs nothing")]
    if not file.header.has_template:
        found.append(Check(NOTE, "the file has no chat template: tabletop's own is used"))
    return found


def _key(model: Model, found: Inspection) -> list[Check]:
    if found.accepts_key is False:
        return [Check(WRONG, f"the key in {model.key_variable} is refused" if model.key else model.why_no_key)]
    if model.withheld:
        return [Check(NOTE, f"no key is sent: {model.withheld}")]
    if not model.key:
        return [Check(OK, "it needs no key, or none is set")] if not model.is_openrouter else []
    if found.accepts_key is None:
        return [Check(NOTE, f"the key in {model.key_variable} is set; the endpoint does not say whether it is accepted")]
    accepted = f"the key in {model.key_variable} is accepted"
    if found.credit is None:
        return [Check(OK, accepted)]
    if found.credit == math.inf:
        return [Check(OK, f"{accepted}, without a limit of its own")]
    if found.credit <= 0:
        return [Check(WRONG, f"{accepted}, but has no credit left")]
    return [Check(OK, f"{accepted}, with ${found.credit:.2f} left")]


def _listed(model: Model, found: Inspection) -> Check:
    if (entry := found.entry) is None:
        is_wrong = bool(found.listed) and model.is_openrouter
        return Check(WRONG if is_wrong else NOTE, f"the model {model.name} is not among those listed")
    prices, price = model.prices or entry.prices, "price unknown"
    if prices is not None:
        price = f"${prices.prompt * 1e6:g} in and ${prices.completion * 1e6:g} out for a million tokens"
    context = f", {entry.context_length:,} tokens of context" if entry.context_length else ""
    return Check(OK, f"the model {model.name} exists: {price}{context}")


def _bounded(model: Model, entry: ModelEntry | None) -> Iterator[Check]:
    """What its endpoint's list says against a model or its settings, but does not refuse."""
    if entry is not None and entry.expires is not None:
        yield Check(NOTE, f"its endpoint lists it until {entry.expires} only")
    effort = mapping(model.parameters.get("reasoning")).get("effort")
    if entry is not None and entry.efforts and effort is not None and effort not in entry.efforts:
        yield Check(NOTE, f"it knows the reasoning efforts {', '.join(entry.efforts)}, not {effort}")


def _supported(agent: LlmAgent, entry: ModelEntry | None, ask: DecisionRequest) -> Check:
    """Whether the model fits the prompts: form of answer, context for prompt, past and reply, parameters."""
    prompt = message_tokens(agent.messages(ask, agent.question(ask)))
    need = prompt + agent.most_memory_tokens + agent.most_reply_tokens
    said = f"answers in the form {agent.form.value}"
    if entry is not None and entry.context_length is not None and entry.context_length < need:
        return Check(WRONG, f"{said}; a question, its past and a reply may take {need:,} tokens, more than its context has")
    if agent.unsent_parameters:
        return Check(NOTE, f"{said}; its endpoint does not take {', '.join(agent.unsent_parameters)}, which are left out")
    return Check(OK, said)


def _tried(given: AgentReply, state: State, seat: int) -> Check:
    reply = given.facts.get("reply") or {}
    cost, usage = reply.get("cost"), reply.get("usage") or {}
    tokens = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    price = "unknown cost" if cost is None else f"${cost:.6f}"
    is_legal, verdict = False, given.mistake.why if given.mistake else ""
    if given.mistake is None:
        try:
            is_legal, verdict = True, f"legal answer {json.dumps(state.read(seat, given.data).to_json())}"
        except IllegalAction as refusal:
            verdict = f"an answer against the rules: {refusal}"
    figures = f"{tokens} tokens, {price}, {given.facts.get('latency')} s"
    return Check(OK if is_legal else NOTE, f"one trial decision: {verdict}; {figures}")
