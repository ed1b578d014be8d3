"""Whether a model would play: its endpoint, its key, what it takes, and one small decision put to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, NamedTuple

import games
from games.core import IllegalAction, State
from runner.agents.factory import model_agent
from runner.agents.protocol import Ask, Given, Record
from runner.agents.resolve import model_of
from runner.errors import TabletopError
from runner.llm.offline import OFFLINE_URL
from runner.prompting.pack import PromptPack
from runner.prompting.tokens import estimate

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.agents.model_agent import LlmAgent
    from runner.agents.spec import ModelSpec
    from runner.llm.client import Client
    from runner.llm.model_list import Credit, Inspection, ModelEntry
    from runner.llm.request import Model

OK, NOTE, WRONG = "ok", "note", "wrong"


class Found(NamedTuple):
    """One thing that was looked at: `state` is ok, note (nothing wrong, worth knowing) or wrong."""

    state: str
    what: str


async def examine(spec: ModelSpec, client: Client, settings: Settings, has_trial: bool) -> AsyncIterator[Found]:
    """What is found out about a model, step by step; only the trial may cost anything. The first wrong thing ends it.

    It is asked the first question of the first game, as in a match: a fresh one, so that nothing secret is told.
    """
    try:
        model = model_of(spec, settings)
        inspection = await client.inspect(model)
        for found in _looked_at(model, inspection, model.base_url == OFFLINE_URL):
            yield found
            if found.state == WRONG:
                return
        state = games.load(games.names()[0]).begin()
        agent = await model_agent(spec, PromptPack(), state.setup, settings, client)
        ask = Ask.of(state, state.pending[0])
        supported = _supported(agent, inspection.entry, ask)
        yield supported
        if has_trial and supported.state != WRONG:
            yield _tried(await agent.answer(ask, _unheard), state, ask.seat)
    except TabletopError as error:
        yield Found(WRONG, str(error))


def _looked_at(model: Model, found: Inspection, is_built_in: bool) -> list[Found]:
    if not found.is_reachable:
        return [Found(WRONG, f"the endpoint {model.base_url} cannot be reached: {found.why}")]
    if is_built_in:
        return [Found(OK, "it is built in and needs neither endpoint nor key"), _listed(model, found)]
    at = f"the endpoint {model.base_url}"
    there = f"{at} is reachable and lists {found.listed} models" if found.listed else f"{at} is reachable and keeps no list"
    return [Found(OK, there), *_key(model, found), _listed(model, found)]


def _key(model: Model, found: Inspection) -> list[Found]:
    if not model.key and found.accepts_key is not False:
        return [Found(OK, "it needs no key, or none is set")] if not model.is_openrouter else []
    if found.accepts_key is False and not model.key:
        return [Found(WRONG, f"it needs a key; {model.key_variable} is not set")]
    if found.accepts_key is False:
        return [Found(WRONG, f"the key in {model.key_variable} is refused")]
    if found.accepts_key is None:
        return [Found(NOTE, f"the key in {model.key_variable} is set; the endpoint does not say whether it is accepted")]
    return [_credit(model, found.credit)]


def _credit(model: Model, credit: Credit | None) -> Found:
    accepted = f"the key in {model.key_variable} is accepted"
    if credit is None:
        return Found(OK, accepted)
    if credit.left is None:
        return Found(OK, f"{accepted}, without a limit of its own")
    if credit.left <= 0:
        return Found(WRONG, f"{accepted}, but has no credit left")
    return Found(OK, f"{accepted}, with ${credit.left:.2f} left")


def _listed(model: Model, found: Inspection) -> Found:
    if (entry := found.entry) is None:
        is_wrong = bool(found.listed) and model.is_openrouter
        return Found(WRONG if is_wrong else NOTE, f"the model {model.name} is not among those listed")
    prices = model.prices or entry.prices
    price = (
        "price unknown"
        if prices is None
        else f"${prices.prompt * 1e6:g} in and ${prices.completion * 1e6:g} out for a million tokens"
    )
    context = f", {entry.context_length:,} tokens of context" if entry.context_length else ""
    return Found(OK, f"the model {model.name} exists: {price}{context}")


def _supported(agent: LlmAgent, entry: ModelEntry | None, ask: Ask) -> Found:
    """Whether the model takes what prompts need: a form of answer, room for prompt, past and reply, the parameters set."""
    prompt = estimate(agent.messages(ask, agent.question(ask)))
    need = prompt + agent.most_memory_tokens + agent.most_reply_tokens
    said = f"answers in the form {agent.form.value}"
    if entry is not None and entry.context_length is not None and entry.context_length < need:
        return Found(WRONG, f"{said}; a question, its past and a reply may take {need:,} tokens, more than its context has")
    if agent.left_out:
        return Found(NOTE, f"{said}; its endpoint does not take {', '.join(agent.left_out)}, which are left out")
    return Found(OK, said)


def _tried(given: Given, state: State, seat: int) -> Found:
    reply = given.facts.get("reply") or {}
    cost, usage = reply.get("cost"), reply.get("usage") or {}
    tokens = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    price = "unknown cost" if cost is None else f"${cost:.6f}"
    is_legal, verdict = _verdict(given, state, seat)
    figures = f"{tokens} tokens, {price}, {given.facts.get('latency')} s"
    return Found(OK if is_legal else NOTE, f"one trial decision: {verdict}; {figures}")


def _verdict(given: Given, state: State, seat: int) -> tuple[bool, str]:
    if given.mistake is not None:
        return False, given.mistake.why
    try:
        return True, f"legal answer {json.dumps(state.read(seat, given.data).to_json())}"
    except IllegalAction as refusal:
        return False, f"an answer against the rules: {refusal}"


async def _unheard(record: Record) -> None:
    """A trial has no log."""
