"""Preflight: checks a model's endpoint, key and capabilities, and puts one decision to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, NamedTuple

import games
from games.core import IllegalAction, State
from runner.agents.factory import model_agent
from runner.agents.local_start import Table, start_local
from runner.agents.protocol import Ask, Given, Record
from runner.agents.resolve import model_of
from runner.errors import TabletopError
from runner.llm.local_model import in_bytes
from runner.llm.offline import OFFLINE_URL
from runner.llm.tokens import message_tokens
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.agents.model_agent import LlmAgent
    from runner.agents.spec import ModelSpec
    from runner.llm.client import Client
    from runner.llm.model_file import ModelFile
    from runner.llm.model_list import Credit, Inspection, ModelEntry
    from runner.llm.request import Model

OK, NOTE, WRONG = "ok", "note", "wrong"


class Check(NamedTuple):
    """The result of one check: `state` is ok, note (works, but worth knowing) or wrong."""

    state: str
    what: str


async def preflight(spec: ModelSpec, client: Client, settings: Settings, has_trial: bool) -> AsyncIterator[Check]:
    """Check a model, step by step. Only the trial may cost money. The first check that fails ends the preflight.

    The trial is the first question of a new match of the first game.
    """
    try:
        model = model_of(spec, settings)
        game = games.registered().games[0]
        state = game.begin()
        await start_local([Table(game, state.setup, [spec])], PromptPack(), settings)
        inspection = await client.inspect(model)
        for found in _looked_at(model, inspection, model.base_url == OFFLINE_URL):
            yield found
            if found.state == WRONG:
                return
        agent = await model_agent(spec, PromptPack(), state.setup, settings, client)
        ask = Ask.of(state, state.pending[0])
        supported = _supported(agent, inspection.entry, ask)
        yield supported
        if has_trial and supported.state != WRONG:
            known = agent.unsent_parameters
            yield _tried(await agent.answer(ask, _unheard), state, ask.seat)
            if names := [name for name in agent.unsent_parameters if name not in known]:
                yield Check(NOTE, f"its endpoint does not take {', '.join(names)}, which are left out")
            for note in agent.notes:
                yield Check(NOTE, f"its endpoint {note}")
    except TabletopError as error:
        yield Check(WRONG, str(error))


def _looked_at(model: Model, found: Inspection, is_built_in: bool) -> list[Check]:
    if not found.is_reachable:
        return [Check(WRONG, f"the endpoint {model.base_url} cannot be reached: {found.why}")]
    if is_built_in:
        return [Check(OK, "it is built in and needs neither endpoint nor key"), _listed(model, found)]
    if model.local is not None:
        return _loaded(model.local.file)
    at = f"the endpoint {model.base_url}"
    there = f"{at} is reachable and lists {found.listed} models" if found.listed else f"{at} is reachable and keeps no list"
    return [Check(OK, there), *_key(model, found), _listed(model, found)]


def _loaded(file: ModelFile) -> list[Check]:
    found = [Check(OK, f"llama.cpp has loaded the file, {in_bytes(file.size)}, SHA-256 {file.sha256}; it costs nothing")]
    if not file.header.has_template:
        found.append(Check(NOTE, "the file has no chat template: tabletop's own is used"))
    return found


def _key(model: Model, found: Inspection) -> list[Check]:
    if model.withheld and found.accepts_key is not False:
        return [Check(NOTE, f"no key is sent: {model.withheld}")]
    if not model.key and found.accepts_key is not False:
        return [Check(OK, "it needs no key, or none is set")] if not model.is_openrouter else []
    if found.accepts_key is False and not model.key:
        return [Check(WRONG, model.why_no_key)]
    if found.accepts_key is False:
        return [Check(WRONG, f"the key in {model.key_variable} is refused")]
    if found.accepts_key is None:
        return [Check(NOTE, f"the key in {model.key_variable} is set; the endpoint does not say whether it is accepted")]
    return [_credit(model, found.credit)]


def _credit(model: Model, credit: Credit | None) -> Check:
    accepted = f"the key in {model.key_variable} is accepted"
    if credit is None:
        return Check(OK, accepted)
    if credit.left is None:
        return Check(OK, f"{accepted}, without a limit of its own")
    if credit.left <= 0:
        return Check(WRONG, f"{accepted}, but has no credit left")
    return Check(OK, f"{accepted}, with ${credit.left:.2f} left")


def _listed(model: Model, found: Inspection) -> Check:
    if (entry := found.entry) is None:
        is_wrong = bool(found.listed) and model.is_openrouter
        return Check(WRONG if is_wrong else NOTE, f"the model {model.name} is not among those listed")
    prices = model.prices or entry.prices
    price = (
        "price unknown"
        if prices is None
        else f"${prices.prompt * 1e6:g} in and ${prices.completion * 1e6:g} out for a million tokens"
    )
    context = f", {entry.context_length:,} tokens of context" if entry.context_length else ""
    return Check(OK, f"the model {model.name} exists: {price}{context}")


def _supported(agent: LlmAgent, entry: ModelEntry | None, ask: Ask) -> Check:
    """Whether the model fits the prompts: form of answer, context for prompt, past and reply, parameters."""
    prompt = message_tokens(agent.messages(ask, agent.question(ask)))
    need = prompt + agent.most_memory_tokens + agent.most_reply_tokens
    said = f"answers in the form {agent.form.value}"
    if entry is not None and entry.context_length is not None and entry.context_length < need:
        return Check(WRONG, f"{said}; a question, its past and a reply may take {need:,} tokens, more than its context has")
    if agent.unsent_parameters:
        return Check(NOTE, f"{said}; its endpoint does not take {', '.join(agent.unsent_parameters)}, which are left out")
    return Check(OK, said)


def _tried(given: Given, state: State, seat: int) -> Check:
    reply = given.facts.get("reply") or {}
    cost, usage = reply.get("cost"), reply.get("usage") or {}
    tokens = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    price = "unknown cost" if cost is None else f"${cost:.6f}"
    is_legal, verdict = _verdict(given, state, seat)
    figures = f"{tokens} tokens, {price}, {given.facts.get('latency')} s"
    return Check(OK if is_legal else NOTE, f"one trial decision: {verdict}; {figures}")


def _verdict(given: Given, state: State, seat: int) -> tuple[bool, str]:
    if given.mistake is not None:
        return False, given.mistake.why
    try:
        return True, f"legal answer {json.dumps(state.read(seat, given.data).to_json())}"
    except IllegalAction as refusal:
        return False, f"an answer against the rules: {refusal}"


async def _unheard(record: Record) -> None:
    """Do nothing: a trial has no log."""
