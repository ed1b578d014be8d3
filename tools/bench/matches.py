"""Whole matches against a model, as `tabletop play` plays them, without a screen."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.core import Game
from runner.agents.environment import Environment
from runner.agents.seat_kind import AgentContext
from runner.agents.spec import OFFLINE, describe_seat, parse_spec, seat_agents
from runner.llm.client import Client
from runner.llm.offline import OFFLINE_URL
from runner.match.header import Asking, MatchConfig
from runner.match.loop import Match
from runner.match.match_state import MatchEvent, Sink
from runner.prompting.pack import PromptPack
from runner.record.reader import read_log
from runner.record.writer import LogSink, LogWriter

SHORT: dict[str, dict[str, Any]] = {"dixiquote": {"max_rounds": 2}}
"""Options that keep the matches of a measurement short."""


class Chain:
    """Counts the questions that had to wait for the answers before them, and ends a match after a number of them."""

    def __init__(self, most: int | None = None) -> None:
        self.steps = 0
        self.match: asyncio.Task[object] | None = None
        self._most, self._is_open = most, False

    async def emit(self, event: MatchEvent) -> None:
        """Of questions asked at the same time the first counts; those after a decision know of it."""
        if event.record["kind"] == "question":
            self.steps += not self._is_open
            self._is_open = True
        elif event.record["kind"] in ("decision", "moot"):
            self._is_open = False
            if self.steps == self._most and self.match is not None:
                self.match.cancel()


PACK = PromptPack()
"""The prompts of all matches of a process, compiled once."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its log, how long it took on the wall, and in how many steps (the length of its chain)."""

    log: Path
    seconds: float
    steps: int


async def play_all(
    game: Game,
    url: str,
    seeds: Sequence[int],
    folder: Path,
    at_once: int,
    ask: Asking = "simultaneous",
    options: Mapping[str, Any] = MappingProxyType({}),
    most_steps: int | None = None,
    screens: Sequence[Sink] = (),
) -> list[Played]:
    """Play a match for each seed, a number of them at once, with one client, each to its end or for `most_steps` steps.

    `options` are those of the game; `screens` show the matches.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table = asyncio.Semaphore(at_once)

    async def play(seed: int) -> Played:
        async with table:
            return await _play(game, url, seed, folder, ask, client, options, most_steps, screens)

    async with Client() as client:
        return list(await asyncio.gather(*(play(seed) for seed in seeds)))


async def _play(
    game: Game,
    url: str,
    seed: int,
    folder: Path,
    ask: Asking,
    client: Client,
    options: Mapping[str, Any],
    most_steps: int | None,
    screens: Sequence[Sink],
) -> Played:
    setup = game.set_up(None, seed, None, {**SHORT.get(game.name, {}), **options})
    specs = (parse_spec(OFFLINE if url == OFFLINE_URL else f"{OFFLINE}@{url}"),) * setup.players
    seats = tuple(describe_seat(spec, Environment()) for spec in specs)
    agents = await seat_agents(seats, AgentContext(game, setup, PACK, Environment(), client=client))
    prompts = {"pack": PACK.name, "templates": PACK.digests(game.name)}
    log = folder / f"{seed}.jsonl"
    writer = LogWriter(log)
    began = time.perf_counter()
    try:
        chain = Chain(most_steps)
        match = Match(MatchConfig(game, setup, seats, prompts, ask), agents, [LogSink(writer), *screens, chain])
        chain.match = asyncio.ensure_future(match.run())
        with suppress(asyncio.CancelledError):
            await chain.match
    finally:
        writer.close()
    return Played(log, time.perf_counter() - began, chain.steps)


def requests(path: Path) -> list[dict[str, Any]]:
    """The exact bodies that the models of a logged match were sent."""
    log = read_log(path)
    attempts = [record for _, record in log.of_kind("attempt")]
    return [{**_expanded(log.expand(a["request"])), "messages": log.messages(a)} for a in attempts]


def _expanded(body: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(body))
    return plain
