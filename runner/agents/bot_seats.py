"""Bot seats: bots of a game, and those that search."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Self

import games
from games.core import Action, Game, Policy, Rng, State, listed, quoted
from games.search.playouts import LONGEST
from games.search.policy import (
    MOST_PLAYOUTS,
    SEARCH,
    bot_names,
    deciding,
    is_searchable,
    playing_policy,
    playouts_of,
    search_policy,
    seconds_of,
)
from runner.agents.environment import Environment
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.seat_kind import AgentContext, Reach, SeatIdentity, Spec
from runner.agents.settings import SeatSettings
from runner.errors import UsageError
from runner.worker_processes import ProcessPool

BOT = "bot:"
_MOST_PLAYOUTS = 10_000
"""Playouts a decision that a log alone may ask for."""


class BotAgent(Agent):
    """A bot. Its random numbers come from the match's seed, the seat and the question, so a match can be repeated."""

    needs_sync = False

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The policy's answer in a world drawn from the seat's information set: the policy never gets the state itself."""
        keys = (ask.setup.seed, ask.seat, ask.number)
        world = ask.world(Rng.of("world", *keys))
        return AgentReply(data=self._policy(world, ask.seat, Rng.of("bot", *keys)).to_json())


class SearchAgent(BotAgent):
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


_TIMED, _TRIED, _LONGEST = 6, 24, 2.0
"""Decisions of a match at which searches are timed, the playouts of each, and the seconds after which no more are."""


def in_playouts(spec: Spec, game: Game, state: State) -> Spec:
    """`bot:search:2s` as `bot:search:N`, with as many playouts as take that long here on average, by searches at some decisions
    of a match from `state`. The log has N alone: no clock decides what is played. Other SPECs as they are."""
    if not isinstance(spec, Bot) or (seconds := seconds_of(spec.name)) is None or not is_searchable(game):
        return spec
    playing, rng, path = playing_policy(game), Rng.of("timed", state.setup.seed), [state]
    while path[-1].pending and len(path) <= LONGEST:
        path.append(playing(path[-1], path[-1].pending[0], rng).next_state)
    asked = [one for one in path[:-1] if len(one.actions_of(one.pending[0])) > 1]
    made, is_late, began = 0, False, time.process_time()
    for one in asked[:: max(1, len(asked) // _TIMED)]:
        for done in deciding(one, one.pending[0], rng, _TRIED, playing):
            made += 1
            if (is_late := time.process_time() - began > _LONGEST) or done >= _TRIED:
                break
        if is_late:
            break
    each = (time.process_time() - began) / max(1, made)
    name = f"{SEARCH}:{min(MOST_PLAYOUTS, max(1, int(seconds / max(each, 1e-6))))}"
    return replace(spec, name=name, text=f"{BOT}{name}")


@dataclass(frozen=True, slots=True)
class Bot(Spec):
    """A bot of the game, or one that searches: `bot:steady`, `bot:search`, `bot:search:800`."""

    kind = "bot"
    forms = ("bot:NAME",)

    name: str

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        return cls(text, pack, who.removeprefix(BOT)) if who.startswith(BOT) else None

    @classmethod
    def completions(cls, games: Sequence[Game]) -> Iterable[str]:
        return dict.fromkeys(f"{BOT}{name}" for game in games for name in bot_names(game))

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        """UsageError for a bot that the game does not have."""
        Spec.check(self, game, environment, asks)
        if self.name in game.bots:
            return
        if self.name.partition(":")[0] != SEARCH:
            near = get_close_matches(self.name, bot_names(game), 1)
            told = f"did you mean {BOT}{near[0]}?" if near else _bots(game)
            raise UsageError(f"There is no bot {quoted(self.who)} for {game.title}: {told}")
        if not is_searchable(game):
            why = "where answers are free text" if game.has_worlds else "of which no worlds can be drawn"
            raise UsageError(f"{quoted(self.who)} cannot play {game.title}, {why}: {_bots(game)}")
        if seconds_of(self.name) is not None:
            raise UsageError(
                f"The seconds of {quoted(self.who)} are measured where one match begins: write {BOT}{SEARCH}:N here, with a"
                " number of playouts, so that all matches are alike."
            )
        if playouts_of(self.name) is None:
            raise UsageError(
                f"There is no bot {quoted(self.who)}: write {BOT}{SEARCH}, {BOT}{SEARCH}:N with a number of playouts from 1 to"
                f" {MOST_PLAYOUTS:,}, or {BOT}{SEARCH}:2s with seconds a decision."
            )

    def describe(self, environment: Environment) -> SeatIdentity:
        playouts = playouts_of(self.name)
        return {} if playouts is None else {"playouts": playouts}

    def reach(self, environment: Environment) -> Reach | None:
        """How long it thinks, where a log alone may not say so."""
        playouts = playouts_of(self.name) or 0
        return Reach("time", self.who, "how long it thinks: nothing was played") if playouts > _MOST_PLAYOUTS else None

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        return bot_agent(self, context.game)


def bot_agent(spec: Bot, game: Game, pool: ProcessPool | None = None) -> Agent:
    """The bot of a SPEC that has been checked. One that searches thinks in a process of the pool."""
    playouts = playouts_of(spec.name)
    if playouts is None:
        return BotAgent(game.bots[spec.name])
    return SearchAgent(playouts, playing_policy(game), None if pool is None else (game.name, pool))


def _bots(game: Game) -> str:
    return f"there is {listed([f'{BOT}{name}' for name in bot_names(game)])}."
