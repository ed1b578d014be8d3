"""Logs: bytes a decision of bots, decisions verified a second, logs summarised for standings, a long log in the player."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import games
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.spec import Seat, parse_spec
from runner.api import play
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.record.log_folder import summaries
from runner.record.log_summary import summarise
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.record.writer import LogSink, LogWriter
from tests.match.tables import bot, match
from tools.bench import toy
from tools.bench.figure import Figure

_LENGTH = 1_000
_ROUNDS = 7
_FASTEST = 5_000
_MOST_FIRST, _MOST_AGAIN = 2.0, 0.1
_OPENS_IN = 1.0
_MOST_BYTES, _MOST_BOTS, _MATCHES = 1024, 6, 8
_MOST_MEMORY = 200.0

_OPEN = """
import sys, time
began = time.perf_counter()
from pathlib import Path
from unittest.mock import patch
from rich.console import Console
from tools.bench import toy
from tools.bench.peak_memory import peak_mib
from runner.record.decisions import DecisionList
from runner.record.reader import read_sound_part
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import Viewer
from runner.film.perspective import Perspective
with patch("games.load", lambda name: toy.GAME):
    began = time.perf_counter()
    viewer = Viewer(DecisionList(read_sound_part(Path(sys.argv[1]))), Perspective(sees_all=True))
    console = Console(width=120, height=40, file=sys.stderr)
    console.print(Page(viewer))
    opened = time.perf_counter() - began
    began = time.perf_counter()
    viewer.press("G")
    viewer.press("t")
    console.print(Page(viewer))
    print(opened, time.perf_counter() - began, peak_mib())
"""


class Talkative(Agent):
    """A seat whose every answer comes with a prompt and a reply of a usual length."""

    needs_sync = False

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        number = ask.number % len(toy.NUMBERS)
        messages = [
            {"role": "user", "content": f"{'The rules of the game. ' * 40}\n\nQuestion {ask.number}. {'Think. ' * 120}"}
        ]
        reply = {"text": f'{{"number": {number}}}', "reasoning": f"It is question {ask.number}. " * 40, "cost": 0.001}
        return AgentReply(
            {"number": number}, text="", facts={"request": {"messages": messages}, "reply": reply, "latency": 0.1}
        )


def figures() -> Iterator[Figure]:
    """How large logs of bots are, how fast logs are verified, how soon a long one opens, and how much memory that takes."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _size(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield from _verifying(Path(folder))
        yield from _summarising(Path(folder))
        yield from _opening(Path(folder) / "long.jsonl")


def _size(folder: Path) -> Iterator[Figure]:
    for name in games.names():
        tables = [players for players in games.load(name).players if players <= _MOST_BOTS]
        found = {players: _bytes_a_decision(folder, name, players) for players in tables}
        largest = max(tables, key=found.__getitem__)
        note = f"{largest} players; {', '.join(f'{players}: {found[players]:.0f}' for players in tables)}"
        yield Figure(f"log: bytes a decision of bots, {name}", found[largest], unit="bytes", most=_MOST_BYTES, note=note)


def _bytes_a_decision(folder: Path, name: str, players: int) -> float:
    paths = [folder / f"{name}-{players}-{seed}.jsonl" for seed in range(_MATCHES)]
    logs = [play(name, seats=["bot:steady"] * players, seed=seed, log=path) for seed, path in enumerate(paths)]
    return sum(path.stat().st_size for path in paths) / sum(len(log.decisions) for log in logs)


def _verifying(folder: Path) -> Iterator[Figure]:
    for name in games.names():
        paths = [folder / f"{name}-{seed}.jsonl" for seed in range(3)]
        for seed, path in enumerate(paths):
            asyncio.run(match(name, [bot(name)] * games.load(name).default_players, seed, path).run())
        best = max(_verified_a_second(paths) for _ in range(_ROUNDS))
        yield Figure(f"verify: decisions a second, {name}", best, unit="a second", least=_FASTEST)


def _verified_a_second(paths: list[Path]) -> float:
    began = time.process_time()
    decisions = sum(verify(read_log(path)).decisions for path in paths)
    return decisions / (time.process_time() - began)


def _summarising(folder: Path) -> Iterator[Figure]:
    paths = sorted(folder.glob("*.jsonl"))
    summaries(folder)  # writes the index, which is read again
    works: tuple[Callable[[], object], ...]
    works = partial(_parse, paths), partial(_summarise, paths), partial(summaries, folder)
    rounds = [[_seconds(work) for work in works] for _ in range(_ROUNDS)]
    floor, first, again = (min(times) for times in zip(*rounds, strict=True))
    note = f"× json.loads and SHA-256 of each line; {first / len(paths) * 1e3:.1f} ms a log"
    yield Figure("standings: a log the first time", first / floor, most=_MOST_FIRST, note=note)
    yield Figure("standings: a log again", again / floor, most=_MOST_AGAIN, note=note.partition(";")[0])


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _parse(paths: Sequence[Path]) -> None:
    for path in paths:
        for line in path.read_bytes().splitlines():
            sha256(line).hexdigest()
            json.loads(line)


def _summarise(paths: Sequence[Path]) -> None:
    for path in paths:
        summarise(path)


def _opening(path: Path) -> Iterator[Figure]:
    with patch("games.load", lambda name: toy.GAME):
        setup = toy.GAME.begin(seed=1, length=_LENGTH).setup
        seats = (Seat(parse_spec("test"), "test", "test", {}),) * 2
        writer = LogWriter(path)
        config = MatchConfig(toy.GAME, setup, seats, {})
        asyncio.run(Match(config, [Talkative(), Talkative()], [LogSink(writer)]).run())
        writer.close()
    done = subprocess.run([sys.executable, "-c", _OPEN, str(path)], check=True, capture_output=True, text=True)
    opened, last, memory = (float(word) for word in done.stdout.split())
    note = f"{_LENGTH:,} decisions, {path.stat().st_size / 2**20:.0f} MiB"
    yield Figure("replay: seconds to open a long log", opened, unit="s", most=_OPENS_IN, note=note)
    yield Figure("replay: seconds from there to its last decision", last, unit="s", note=note)
    yield Figure("replay: memory", memory, unit="MiB", most=_MOST_MEMORY, note=note)
