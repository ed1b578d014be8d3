"""How much of each prompt a provider can have cached, and the tokens of a whole match, by game and memory.

Bots decide, and an agent words every prompt as in a match. What counts as cached is what the seat's prompt before it began
with. Where the provider puts the schema of the answer before the messages, it is what the seat's last prompt with the same
schema began with, and nothing for a new schema.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from operator import eq
from typing import Any

import games
from games.core import Game, Rng, State
from runner.agents.environment import Settings
from runner.agents.factory import describe_seat, prompt_options, seat_agents
from runner.agents.model_agent import LlmAgent
from runner.agents.own_fields import NOTES, REASON
from runner.agents.protocol import Ask
from runner.agents.settings import AgentSettings, Memory, Reason
from runner.agents.spec import OFFLINE, parse_spec
from runner.llm.client import Client
from runner.llm.request import OPENROUTER, AnswerForm, Model, Request
from runner.llm.tokens import estimated_tokens
from runner.match.config import MatchConfig
from runner.match.loop import Match
from runner.prompting.pack import PromptPack
from tests.bench.figure import Figure

MEMORIES: tuple[Memory, ...] = ("none", "notes", "full")
PLAYERS = 5
SEED = 7
GOAL = 0.8
"""The least share at memory "full"."""

MODELS = ("mistralai/mistral-medium-3.1", "openai/gpt-5-mini")
"""Models whose providers put the schema after the messages, and before them."""

_BOT = "steady"
_REASON = " ".join(["reason"] * 60)
_NOTE = "I keep an eye on P-{}, who played last."


@dataclass
class PromptShares:
    """Shares of the prompts of a match that the seat's prompt before began with, and the tokens of all prompts."""

    found: list[float] = field(default_factory=list)
    tokens: int = 0
    _before: dict[tuple[int, str], str] = field(default_factory=dict)

    def add(self, seat: int, request: Request) -> None:
        """Take in a request of a seat."""
        body = request.body()
        told = json.dumps(body["messages"], ensure_ascii=False)
        schema = json.dumps(body.get("response_format"), ensure_ascii=False)
        key = (seat, schema if request.model.reads_schema_first else "")
        self.tokens += estimated_tokens(len(told) + len(schema))
        if any(asked == seat for asked, _ in self._before):
            self.found.append(letters_in_common(self._before.get(key, ""), told) / len(told))
        self._before[key] = told


def letters_in_common(one: str, other: str) -> int:
    """Letters with which both texts begin."""
    return sum(takewhile(bool, map(eq, one, other)))


def figures() -> Iterator[Figure]:
    """The share and the tokens of each game and memory."""
    for name in games.names():
        for memory in MEMORIES:
            yield _figure(games.load(name), memory)


def _figure(game: Game, memory: Memory) -> Figure:
    players = min(game.players, key=lambda count: abs(count - PLAYERS))
    apart, first = (shares(game, players, AgentSettings(memory=memory), model) for model in MODELS)
    told = f"{_mean(first.found):.0f} % and {first.tokens:,} where the schema comes first"
    return Figure(
        f"{game.title}, memory {memory}: of each prompt seen before",
        _mean(apart.found),
        "%",
        100 * GOAL if memory == "full" else None,
        note=f"{apart.tokens:,} prompt tokens a match of {players}; {told}",
    )


def _mean(found: list[float]) -> float:
    return 100 * sum(found) / len(found)


def shares(game: Game, players: int, settings: AgentSettings, model: str) -> PromptShares:
    """The shares of a match between bots, worded for a model with these settings."""
    state = game.begin(players=players, seed=SEED)
    agents = [_agent(state, settings, model) for _ in range(players)]
    found, number = PromptShares(), 0
    while not state.has_ended:
        asks = [Ask.of(state, seat, number := number + 1) for seat in state.pending]
        answers = {ask.seat: _answered(agents[ask.seat], ask, found, state) for ask in asks}
        phase = state.phase_id
        for seat, answer in answers.items():
            if state.phase_id == phase and seat in state.pending:
                state = state.read(seat, answer).next_state
    return found


def _agent(state: State, settings: AgentSettings, model: str) -> LlmAgent:
    return LlmAgent(
        Client(), Model(model, OPENROUTER, "", "none"), AnswerForm.STRICT_SCHEMA, PACK, prompt_options(state.setup), settings
    )


def _answered(agent: LlmAgent, ask: Ask, found: PromptShares, state: State) -> dict[str, Any]:
    """The answer of a bot, worded as the agent's own; a forced one is not asked for."""
    answers = ask.answers()
    chosen = state.game.bots[_BOT](state, ask.seat, Rng.of("prompts", ask.number)).to_json()
    if len(answers) > 1:
        question = agent.question(ask)
        found.add(ask.seat, agent.request(ask, question, agent.messages(ask, question)))
        notes = {NOTES: _NOTE.format(ask.number % ask.setup.players)}
        said = {REASON: _REASON} if agent.asks_reason else {}
        agent.remember(ask, {"reply": {"text": json.dumps({**said, **chosen})}, **notes, **said})
    return chosen


def added_tokens(game: Game) -> dict[str, tuple[int, int]]:
    """The tokens of a prompt and of a reply in a match of offline models: plain, with reasons, with talk, with both."""
    return {
        name: asyncio.run(_played(game, reason, talk))
        for name, reason, talk in (("plain", "never", False), ("reasons", "always", False), ("talk", "never", True),
                                   ("both", "always", True))
    }  # fmt: skip


async def _played(game: Game, reason: Reason, talk: bool) -> tuple[int, int]:
    """The tokens of the mean prompt and the mean reply of one match."""
    setup = game.set_up(min(game.players, key=lambda count: abs(count - PLAYERS)), SEED, None, {})
    specs = (parse_spec(OFFLINE),) * setup.players
    async with Client() as client:
        agents = await seat_agents(specs, game, setup, PACK, Settings(), client, reasons=(reason,) * setup.players)
        seats = tuple(describe_seat(spec, Settings()) for spec in specs)
        match = Match(MatchConfig(game, setup, seats, {}, talk=talk), agents)
        await match.run()
    asked = sum(tally.decisions - tally.forced for tally in match.tallies)
    prompt = sum(tally.prompt_tokens for tally in match.tallies)
    reply = sum(tally.completion_tokens for tally in match.tallies)
    return round(prompt / asked), round(reply / asked)


PACK = PromptPack()
"""The built-in prompts, compiled once."""
