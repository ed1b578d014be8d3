"""Prompt cost: the tokens of all prompts of a match, and how much of each a provider can have cached.

Bots decide, and an agent words every prompt as in a match. What counts as cached is what the seat's prompt before it began
with. Where the provider puts the schema of the answer before the messages, it is what the seat's last prompt with the same
schema began with, and nothing for a new schema.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from operator import eq
from typing import Any

from games.core import Game, Rng, State
from runner.agents.model_agent import LlmAgent
from runner.agents.own_fields import NOTES, REASON
from runner.agents.protocol import DecisionRequest
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.llm.budget import estimated_tokens
from runner.llm.client import Client
from runner.llm.request import OPENROUTER, AnswerForm, Model, Request
from runner.match.match_state import UntoldEvents
from runner.prompting.pack import PromptPack

SEED = 7
SCHEMA_LAST, SCHEMA_FIRST = "mistralai/mistral-medium-3.1", "openai/gpt-5-mini"
"""Models whose providers put the schema after the messages, and before them."""

_BOT = "steady"
_REASON = " ".join(["reason"] * 60)
_NOTE = "I keep an eye on P-{}, who played last."


@dataclass
class PromptCost:
    """The prompts of a match: how many, their tokens, and of each the share that the seat's prompt before began with."""

    decisions: int = 0
    tokens: int = 0
    found: list[float] = field(default_factory=list)
    _before: dict[tuple[int, str], str] = field(default_factory=dict)

    def add(self, seat: int, request: Request) -> None:
        body = request.body()
        told = json.dumps(body["messages"], ensure_ascii=False)
        schema = json.dumps(body.get("response_format"), ensure_ascii=False)
        key = (seat, schema if request.model.reads_schema_first else "")
        self.decisions += 1
        self.tokens += estimated_tokens(len(told) + len(schema))
        if any(asked == seat for asked, _ in self._before):
            self.found.append(letters_in_common(self._before.get(key, ""), told) / len(told))
        self._before[key] = told

    @property
    def cached(self) -> float:
        return sum(self.found) / max(1, len(self.found))

    def to_json(self) -> dict[str, float]:
        a_decision = round(self.tokens / max(1, self.decisions))
        return {"decision": a_decision, "match": self.tokens, "cached": round(self.cached, 3)}


def letters_in_common(one: str, other: str) -> int:
    return sum(takewhile(bool, map(eq, one, other)))


def prompt_cost(
    game: Game,
    players: int,
    pack: PromptPack,
    settings: SeatSettings = DEFAULT_SETTINGS,
    model: str = SCHEMA_LAST,
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> PromptCost:
    """The cost of the prompts of a match between bots, worded for a model with these settings. PromptError as for a match."""
    state, untold = game.begin(players, SEED, rules, **(options or {})), UntoldEvents(players)
    endpoint = Model(model, OPENROUTER, "", "none")
    agents = [LlmAgent(Client(), endpoint, AnswerForm.STRICT_SCHEMA, pack, settings) for _ in range(players)]
    found, number = PromptCost(), 0
    while not state.has_ended:
        asks = [
            replace(DecisionRequest.of(state, seat, number := number + 1), told=untold.take(seat)) for seat in state.pending
        ]
        answers = {ask.seat: _answered(agents[ask.seat], ask, found, state) for ask in asks}
        phase = state.phase_id
        for seat, answer in answers.items():
            if state.phase_id == phase and seat in state.pending:
                state, events = state.read(seat, answer).next_with_events()
                untold.add(events)
    return found


def _answered(agent: LlmAgent, ask: DecisionRequest, found: PromptCost, state: State) -> dict[str, Any]:
    """The answer of a bot, worded as the agent's own; a forced one is not asked for."""
    answers, rng = ask.answers(), Rng.of("prompts", ask.number)
    policy = state.game.bots.get(_BOT)
    chosen = policy(state, ask.seat, rng).to_json() if policy else rng.choice(answers)
    if len(answers) > 1:
        question = agent.question(ask)
        found.add(ask.seat, agent.request(ask, question, agent.messages(ask, question)))
        notes = {NOTES: _NOTE.format(ask.number % ask.setup.players)}
        said = {REASON: _REASON} if agent.asks_reason else {}
        agent.remember(ask, {"reply": {"text": json.dumps({**said, **chosen})}, **notes, **said})
    return chosen
