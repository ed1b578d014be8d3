"""Putting one small decision to a model, to see whether it would play."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import games
from games.core import IllegalAction
from runner.agents.protocol import Ask, Given, Record
from runner.agents.seats import model_of, prompt_options
from runner.errors import AccountError
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.llm.client import Client
    from runner.llm.request import Model
    from runner.settings import Settings

_TIME_LIMIT = 60.0


async def try_model(spec: str, client: Client, settings: Settings) -> list[str]:
    """What was found out about a model, in sentences. TabletopError when it cannot be called.

    It is asked the first question of the first game, as in a match: a fresh one, so that nothing secret is told.
    """
    from runner.agents.llm import LlmAgent
    from runner.llm.errors import AccountProblem

    model = replace(model_of(spec, settings), time_limit=_TIME_LIMIT)
    try:
        form = await client.choose_form(model)
    except AccountProblem as problem:
        raise AccountError(str(problem)) from problem
    said = await _credit(model, client)
    state = games.load(games.names()[0]).begin()
    seat = state.pending[0]
    agent = LlmAgent(client, model, form, PromptPack(), prompt_options(state.setup))
    given = await agent.answer(Ask.of(state, seat), _unheard)
    try:
        verdict = given.mistake.why if given.mistake else f"legal answer {state.read(seat, given.data).to_json()}"
    except IllegalAction as refusal:
        verdict = f"an answer against the rules: {refusal}"
    return [*said, f"answers in the form {form.value}", _trial(given, verdict)]


async def _credit(model: Model, client: Client) -> list[str]:
    credit = await client.credit(model) if model.is_openrouter else None
    if credit is None:
        return []
    left = "without a limit" if credit.left is None else f"with ${credit.left:.2f} left"
    return [f"the key {model.key_variable} is accepted, {left}"]


def _trial(given: Given, verdict: str) -> str:
    reply = given.facts.get("reply") or {}
    cost, usage = reply.get("cost"), reply.get("usage") or {}
    tokens = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    price = "unknown cost" if cost is None else f"${cost:.6f}"
    return f"one trial decision: {verdict}; {tokens} tokens, {price}, {given.facts.get('latency')} s"


async def _unheard(record: Record) -> None:
    """A trial has no log."""
