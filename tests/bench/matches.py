"""Whole matches against a model, as `tabletop play` plays them, without a screen."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.core import Game
from runner.agents.seats import describe_seat, seat_agents
from runner.llm.client import Client
from runner.match.config import Asking, MatchConfig
from runner.match.loop import Match
from runner.match.watcher import Watcher
from runner.prompting.pack import PromptPack
from runner.record.reader import read_log
from runner.record.recorder import Recorder
from runner.record.writer import LogWriter
from runner.settings import Settings

SHORT: dict[str, dict[str, Any]] = {"dixiquote": {"max_rounds": 5}}
"""Options that keep the matches of a measurement short."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its log, and how long it took on the wall."""

    log: Path
    seconds: float


async def play_all(
    game: Game, url: str, seeds: Sequence[int], folder: Path, at_once: int, ask: Asking = "simultaneous"
) -> list[Played]:
    """Play a match for each seed, so many at once, with one client and one prompt pack."""
    folder.mkdir(parents=True, exist_ok=True)
    pack, table = PromptPack(), asyncio.Semaphore(at_once)

    async def play(seed: int) -> Played:
        async with table:
            return await _play(game, url, seed, folder, ask, pack, client)

    async with Client() as client:
        return list(await asyncio.gather(*(play(seed) for seed in seeds)))


async def _play(game: Game, url: str, seed: int, folder: Path, ask: Asking, pack: PromptPack, client: Client) -> Played:
    setup = game.set_up(None, seed, None, SHORT.get(game.name, {}))
    specs = (f"offline@{url}",) * setup.players
    agents = await seat_agents(specs, game, setup, pack, Settings(), client)
    seats = tuple(describe_seat(spec, Settings()) for spec in specs)
    prompts = {"pack": pack.name, "templates": pack.digests(game.name)}
    log = folder / f"{seed}.jsonl"
    writer = LogWriter(log)
    began = time.perf_counter()
    try:
        await Match(MatchConfig(game, setup, seats, prompts, ask), agents, Recorder(writer), Watcher()).run()
    finally:
        writer.close()
    return Played(log, time.perf_counter() - began)


def requests(path: Path) -> list[dict[str, Any]]:
    """The exact bodies that the models of a logged match were sent."""
    log = read_log(path)
    attempts = [record for _, record in log.of_kind("attempt")]
    return [{**_expanded(log.expand(a["request"])), "messages": log.messages(a)} for a in attempts]


def _expanded(body: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(body))  # type: ignore[no-any-return]
