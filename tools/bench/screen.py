"""What the live screen costs while models think and beside the work of a match, and whether a match waits for it."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from rich.console import Console

import games
from games.core import Game, State
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.spec import Seat, parse_spec
from runner.film.perspective import Perspective
from runner.llm.offline import OFFLINE_URL
from runner.match.header import MatchConfig
from runner.match.match_state import MatchEvent, Sink
from runner.match.records import QuestionRecord
from runner.match.tally import Tally
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from tests.match.tables import bot, match
from tools.bench.figure import Figure
from tools.bench.matches import Chain, play_all

_SECONDS = 1.5
_AT = 25
_STEPS = 6
"""Steps of a match that are timed: the rest of it waits for its seats in the same way."""

_DELAY = 0.2
_COST, _WAITING, _WORK = 5.0, 1.05, 1.05
_SEEDS, _ROUNDS = range(1, 5), 7
"""Matches of a round, and rounds with a screen and without one in turn."""


def figures() -> Iterator[Figure]:
    """Three figures: the processor's share while every seat thinks, the time of a match with and without a screen, and the
    processor's time of matches between offline models without pauses, with and without a screen."""
    shares = {name: asyncio.run(_share(games.load(name))) for name in games.names()}
    dearest = max(shares, key=lambda name: shares[name])
    note = ", ".join(f"{name} {share:.1f} %" for name, share in shares.items())
    yield Figure(f"screen: of a core, while models think ({dearest})", shares[dearest], "%", most=_COST, note=note)
    ratios = {name: asyncio.run(_ratio(name)) for name in games.names()}
    slowest = max(ratios, key=lambda name: ratios[name])
    each = ", ".join(f"{name} {ratio:.3f}" for name, ratio in ratios.items())
    note = f"{slowest}, {_DELAY * 1000:.0f} ms an answer; {each}"
    yield Figure("screen: a match with it against one without, the slowest game", ratios[slowest], most=_WAITING, note=note)
    work = {name: _work_ratio(games.load(name)) for name in games.names()}
    dearest = max(work, key=lambda name: work[name])
    note = ", ".join(f"{name} {ratio:.3f}" for name, ratio in work.items())
    yield Figure(f"screen: processor, matches of the offline model ({dearest})", work[dearest], most=_WORK, note=note)


def _work_ratio(game: Game) -> float:
    """The processor's time of matches with a screen over that without, the least of rounds each: other work only adds to it."""
    with open(os.devnull, "w", encoding="utf-8") as file, tempfile.TemporaryDirectory() as folder:
        rounds = [
            [asyncio.run(_work(game, Path(folder) / f"{turn}{has_screen}", file, has_screen)) for has_screen in (True, False)]
            for turn in range(_ROUNDS + 1)
        ]
    shown, plain = map(min, zip(*rounds[1:], strict=True))
    return shown / plain


async def _work(game: Game, folder: Path, file: IO[str], has_screen: bool) -> float:
    """Seconds of processor for the matches of a round, one after the other."""
    used = time.process_time()
    for seed in _SEEDS:
        await play_all(game, OFFLINE_URL, [seed], folder, 1, screens=[_screen(file)] if has_screen else [])
    return time.process_time() - used


class _Table:
    """A match in the middle, as those see it who look on."""

    def __init__(self, game: Game) -> None:
        seats = tuple(Seat(parse_spec("openai/gpt-5-mini"), "openai/gpt-5-mini", "model", {}) for _ in range(4))
        self.state = _middle(game)
        self.config = MatchConfig(game, self.state.setup, seats, {})
        self.header = self.config.header(self.state)
        self.tallies = [Tally(prompt_tokens=1000, cost=0.01) for _ in seats]
        self.progress = [None for _ in seats]


def _middle(game: Game) -> State:
    state, chance = game.begin(4, 1), random.Random(1)
    for _ in range(_AT):
        if not state.has_ended:
            state = chance.choice(state.actions).next_state
    return state


def _screen(file: IO[str]) -> LiveScreen:
    console = Console(file=file, width=120, height=40, force_terminal=True, color_system="256", highlight=False)
    return LiveScreen(console, Narrator(Perspective(sees_all=True)))


async def _share(game: Game) -> float:
    """The processor's time in a hundred, while all four seats think."""
    with open(os.devnull, "w", encoding="utf-8") as file:
        screen, table = _screen(file), _Table(game)
        await screen.emit(MatchEvent(table.config.header(table.state), table))
        for seat in range(4):
            await screen.emit(MatchEvent(_question(seat), table))
        await asyncio.sleep(0.3)
        began, used = time.perf_counter(), time.process_time()
        await asyncio.sleep(_SECONDS)
        share = (time.process_time() - used) / (time.perf_counter() - began)
        screen.hide()
    return share * 100


def _question(seat: int) -> QuestionRecord:
    facts = {"phase": 0, "round": 1, "role": "", "text": "", "schema": {}, "view": {}}
    return cast(QuestionRecord, {"kind": "question", "question": seat, "seat": seat, **facts})


class _Slow(Agent):
    """A bot that takes its time."""

    needs_sync = False

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        await asyncio.sleep(_DELAY)
        return await self._agent.answer(ask, report)


class _Stamps(Chain):
    """When the first seat was asked, and when the last timed step was shown: setting up and taking down are left out."""

    def __init__(self) -> None:
        super().__init__(_STEPS)
        self.first: float | None = None
        self.last = 0.0

    async def emit(self, event: MatchEvent) -> None:
        await super().emit(event)
        if event.record["kind"] == "question":
            self.first = self.first or time.perf_counter()
        elif event.record["kind"] == "decision":
            self.last = time.perf_counter()


async def _ratio(game: str) -> float:
    """The time of a match with a screen over that without."""
    with open(os.devnull, "w", encoding="utf-8") as file:
        return await _shown(game, file) / await _seconds(game)


async def _shown(game: str, file: IO[str]) -> float:
    screen = _screen(file)
    try:
        return await _seconds(game, screen)
    finally:
        screen.hide()


async def _seconds(game: str, *sinks: Sink) -> float:
    """Seconds of the first steps of a match."""
    stamps = _Stamps()
    played = match(game, [_Slow(bot(game)) for _ in range(4)], 1, None, [*sinks, stamps])
    stamps.match = asyncio.create_task(played.run())
    with suppress(asyncio.CancelledError):
        await stamps.match
    return stamps.last - (stamps.first or 0.0)
