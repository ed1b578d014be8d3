"""Bot seats: whether the bot of a SPEC exists, its facts for the log, and its agent."""

from __future__ import annotations

import asyncio
from difflib import get_close_matches
from typing import Any

import games
from games.core import Action, Game, Policy, Rng, listed, quoted
from games.search.policy import (
    MOST_PLAYOUTS,
    SEARCH,
    bot_names,
    deciding,
    is_searchable,
    playing_policy,
    playouts_of,
    search_policy,
)
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.spec import BOT, Bot
from runner.errors import UsageError
from runner.worker_processes import ProcessPool


class BotAgent(Agent):
    """A bot. Its random numbers come from the match's seed, the seat and the question, so a match can be repeated."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The policy's answer in a world drawn from the seat's information set: the policy never gets the state itself."""
        keys = (ask.setup.seed, ask.seat, ask.number)
        world = ask.world(Rng.of("world", *keys))
        return AgentReply(data=self._policy(world, ask.seat, Rng.of("bot", *keys)).to_json())


class SearchAgent(Agent):
    """A bot that searches: in a process of the pool in `others`, beside the game's name, or here, one playout at a time, so
    that it neither blocks the event loop nor outlasts its cancelling."""

    def __init__(self, playouts: int, playing: Policy, others: tuple[str, ProcessPool] | None = None) -> None:
        self._playouts, self._playing, self._others = playouts, playing, others

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The best action by a search from a world of the seat's information set. The same match gets the same answer."""
        keys = ask.setup.seed, ask.seat, ask.number
        if self._others is None:
            return AgentReply(data=(await self._decide(ask, keys)).to_json())
        game, pool = self._others
        job = game, ask.world(Rng.of("world", *keys)).to_json(), keys, self._playouts
        return AgentReply(data=await asyncio.wrap_future(pool.submit(_decided, job)))

    async def _decide(self, ask: DecisionRequest, keys: tuple[int, int, int]) -> Action:
        world = ask.world(Rng.of("world", *keys))
        steps = deciding(world, ask.seat, Rng.of("bot", *keys), self._playouts, self._playing)
        while True:
            try:
                made = next(steps)
            except StopIteration as end:
                action: Action = end.value
                return action
            ask.progress(made / self._playouts)
            await asyncio.sleep(0)


def _decided(job: tuple[str, dict[str, Any], tuple[int, int, int], int]) -> object:
    """The answer of a search: of a game, in a world as JSON, by the keys of its random numbers, with a number of playouts."""
    name, world, keys, playouts = job
    game = games.load(name)
    found = search_policy(playouts, playing_policy(game))
    return found(game.from_json(world), keys[1], Rng.of("bot", *keys)).to_json()


def check_bot(spec: Bot, game: Game) -> None:
    """UsageError for a bot that the game does not have."""
    if spec.name in game.bots:
        return
    if spec.name.partition(":")[0] != SEARCH:
        near = get_close_matches(spec.name, bot_names(game), 1)
        told = f"did you mean {BOT}{near[0]}?" if near else _bots(game)
        raise UsageError(f"There is no bot {quoted(spec.who)} for {game.title}: {told}")
    if not is_searchable(game):
        why = "where answers are free text" if game.has_worlds else "of which no worlds can be drawn"
        raise UsageError(f"{quoted(spec.who)} cannot play {game.title}, {why}: {_bots(game)}")
    if playouts_of(spec.name) is None:
        raise UsageError(
            f"There is no bot {quoted(spec.who)}: write {BOT}{SEARCH} or {BOT}{SEARCH}:N, with a number of playouts from 1 to"
            f" {MOST_PLAYOUTS:,}."
        )


def _bots(game: Game) -> str:
    return f"there is {listed([f'{BOT}{name}' for name in bot_names(game)])}."


def bot_facts(spec: Bot) -> dict[str, object]:
    """What the log tells of a bot besides its SPEC: the number of playouts of one that searches."""
    playouts = playouts_of(spec.name)
    return {} if playouts is None else {"playouts": playouts}


def bot_agent(spec: Bot, game: Game, pool: ProcessPool | None = None) -> Agent:
    """The bot of a SPEC that has been checked. One that searches thinks in a process of the pool."""
    playouts = playouts_of(spec.name)
    if playouts is None:
        return BotAgent(game.bots[spec.name])
    return SearchAgent(playouts, playing_policy(game), None if pool is None else (game.name, pool))
