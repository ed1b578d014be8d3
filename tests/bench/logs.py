"""How fast a log is proved: read, every line's hash checked, and every decision played again."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import games
from runner.llm.offline import OFFLINE_URL
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.bench.figure import Figure
from tests.bench.matches import play_all

_BUDGET = 5000
_MATCHES = 5
_ROUNDS = 5


def figures() -> Iterator[Figure]:
    """A figure a game: logs of matches between models, prompts and replies included."""
    for name in games.names():
        with tempfile.TemporaryDirectory() as folder:
            played = asyncio.run(play_all(games.load(name), OFFLINE_URL, range(_MATCHES), Path(folder), 1))
            logs = [match.log for match in played]
            size = sum(log.stat().st_size for log in logs)
            speeds = [_speed(logs) for _ in range(_ROUNDS)]
        decisions = sum(count for _, count in speeds) // _ROUNDS
        note = f"{size / decisions / 1024:.1f} KiB a decision, prompts and replies included"
        yield Figure(f"log: {name} verified", median(speed for speed, _ in speeds), "decisions/s", least=_BUDGET, note=note)


def _speed(logs: list[Path]) -> tuple[float, int]:
    began = time.process_time()
    decisions = sum(verify(read_log(log)).decisions for log in logs)
    return decisions / (time.process_time() - began), decisions
