"""How much of each prompt a provider can have cached, and the tokens of a whole match, by game and memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import games
from games.core import Game
from runner.agents.environment import Environment
from runner.agents.seat_kind import AgentContext
from runner.agents.settings import Memory, Reason, SeatSettings
from runner.agents.spec import OFFLINE, describe_seat, parse_spec, seat_agents
from runner.llm.client import Client
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.prompting.pack import PromptPack
from runner.workshop.prompt_cost import SCHEMA_FIRST, SCHEMA_LAST, SEED, PromptCost, prompt_cost
from tools.bench.figure import Figure

MEMORIES: tuple[Memory, ...] = ("none", "notes", "summary", "full")
PLAYERS = 5
GOAL = 0.8
"""The least share at memory "full"."""

MODELS = (SCHEMA_LAST, SCHEMA_FIRST)


def figures() -> Iterator[Figure]:
    """The share and the tokens of each game and memory."""
    for name in games.names():
        for memory in MEMORIES:
            yield _figure(games.load(name), memory)


def _figure(game: Game, memory: Memory) -> Figure:
    players = min(game.players, key=lambda count: abs(count - PLAYERS))
    apart, first = (shares(game, players, SeatSettings(memory=memory), model) for model in MODELS)
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


def shares(game: Game, players: int, settings: SeatSettings, model: str) -> PromptCost:
    """The cost of a match between bots with the built-in prompts."""
    return prompt_cost(game, players, PACK, settings, model)


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
        seats = tuple(describe_seat(spec, Environment(), SeatSettings(reason=reason)) for spec in specs)
        agents = await seat_agents(seats, AgentContext(game, setup, PACK, Environment(), client=client))
        match = Match(MatchConfig(game, setup, seats, {}, talk=talk), agents)
        await match.run()
    asked = sum(tally.decisions - tally.forced for tally in match.so_far.tallies)
    prompt = sum(tally.prompt_tokens for tally in match.so_far.tallies)
    reply = sum(tally.completion_tokens for tally in match.so_far.tallies)
    return round(prompt / asked), round(reply / asked)


PACK = PromptPack()
"""The built-in prompts, compiled once."""
