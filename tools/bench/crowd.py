"""Whether many matches of models at once hinder one another: the wall time of a tournament, against its longest match alone."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import games
from runner.agents.environment import Environment
from runner.arena.match_runner import ExecutorOptions, MatchRunner
from runner.arena.plan import plan_of
from runner.arena.tournament_dir import TournamentDir
from runner.child_processes import collect_seldom
from runner.record.reader import Log, read_log
from tools.bench.figure import Figure
from tools.bench.matches import play_all
from tools.bench.stand_in import MODEL, standing_in

_MATCHES = 200
_TABLES: tuple[tuple[str, float, dict[str, Any]], ...] = (
    ("coup", 1.0, {"max_turns": 8}),
    ("coup", 0.2, {"max_turns": 10}),
    ("dixiquote", 1.0, {"max_rounds": 6}),
    ("dixiquote", 0.2, {"max_rounds": 3}),
)
"""A game that asks one seat after the other and one that asks most at the same time: seconds that the model takes, options."""

_BUDGETS = {1.0: 1.15, 0.2: 2.0}
"""The most that all matches may take of the time of the longest alone, by the seconds that a model takes."""

_FEW, _MANY = 10, 60
_MOST_MEMORY = 1.0
"""Matches at once where memory is measured, and the MiB that each may add."""

_CROWD, _LONG = 1000, 5.0
"""Matches in one process, and the seconds that their model takes."""

_SHORT = {"max_turns": 1}
"""Options that end a match of Coup after one turn."""

_DELAY_OF_MEMORY = 0.1
"""Seconds that the model takes where memory is measured."""

_CHILD = (
    "import asyncio, sys; from pathlib import Path\n"
    "import games; from tools.bench.matches import play_all; from tools.bench.peak_memory import peak_mib\n"
    "name, url, matches, folder = sys.argv[1:]\n"
    "asyncio.run(play_all(games.load(name), url, range(int(matches)), Path(folder), int(matches)))\n"
    "print(peak_mib())"
)
"""A process that plays matches at once and prints the peak of its memory."""


def figures() -> Iterator[Figure]:
    """Time and memory, for a game that asks one seat after the other and one that asks most at the same time; lateness."""
    collect_seldom()
    for name, delay, options in _TABLES:
        with standing_in(delay) as url, tempfile.TemporaryDirectory() as folder:
            yield _figure(name, url, Path(folder), delay, options)
    yield from (_memory(name) for name in dict.fromkeys(name for name, *_ in _TABLES))
    with standing_in(_LONG) as url, tempfile.TemporaryDirectory() as folder:
        yield _lateness(url, Path(folder))


def _figure(name: str, url: str, folder: Path, delay: float, options: dict[str, Any]) -> Figure:
    event = {"name": name, "options": options, "deals": _MATCHES}
    agents = {"a": f"{MODEL}@{url}", "b": f"{MODEL}@{url}"}
    plan = plan_of({"games": [event], "agents": agents, "rotation": "random", "concurrency": _MATCHES})
    out = TournamentDir(folder / "all")
    runner, before = MatchRunner(plan, Environment(), out, ExecutorOptions()), _processor_seconds()
    began = time.perf_counter()
    with out.locked():
        assert runner.run(lambda _: None, 1.0)
    together, busy = time.perf_counter() - began, _processor_seconds() - before
    logs = [read_log(path) for path in (folder / "all").rglob("*.jsonl")]
    assert len(logs) == runner.progress.ended == _MATCHES
    calls = sum(1 for log in logs for _ in log.of_kind("attempt"))
    steps = max(map(_steps, logs))
    note = (
        f"{together:.1f} s for all, start of the workers included; {steps * delay:.1f} s are the {steps} answers of the"
        f" longest chain; {calls / together:,.0f} calls/s, {busy / calls * 1000:.2f} ms of processor time a call"
    )
    what = f"crowd: {_MATCHES} matches of {games.load(name).title} at {delay * 1000:.0f} ms a call against the longest chain"
    return Figure(what, together / (steps * delay), most=_BUDGETS[delay], note=note)


def _memory(name: str) -> Figure:
    """What a match in progress adds to the peak of a process that plays all of them at once."""
    with standing_in(_DELAY_OF_MEMORY) as url:
        peaks = [_peak(name, url, matches) for matches in (_FEW, _MANY)]
    note = f"peak of {peaks[0]:.0f} MiB with {_FEW} matches, {peaks[1]:.0f} MiB with {_MANY}"
    what = f"crowd: memory of a match of {games.load(name).title}"
    return Figure(what, (peaks[1] - peaks[0]) / (_MANY - _FEW), "MiB", most=_MOST_MEMORY, note=note)


def _peak(name: str, url: str, matches: int) -> float:
    """MiB at most, of a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", _CHILD, name, url, str(matches), folder]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _lateness(url: str, folder: Path) -> Figure:
    """How much later than its endpoint sends it the slowest reply is taken."""
    played = asyncio.run(play_all(games.load("coup"), url, range(_CROWD), folder, _CROWD, options=_SHORT))
    attempts = [record for one in played for _, record in read_log(one.log).of_kind("attempt")]
    late = sum(record["outcome"] == "infrastructure" for record in attempts)
    slowest = max(record["latency"] for record in attempts)
    note = f"{late} of {len(attempts):,} calls failed or were late; the slowest reply after {slowest:.2f} s"
    return Figure(f"crowd: late calls of {_CROWD:,} matches at {_LONG:g} s in one process", late, "calls", most=0, note=note)


def _steps(log: Log) -> int:
    """How many questions of a match had to wait for the answers before them."""
    steps, is_open = 0, False
    for _, record in log.records:
        if record["kind"] == "question":
            steps += not is_open
            is_open = True
        elif record["kind"] in ("decision", "moot"):
            is_open = False
    return steps


def _processor_seconds() -> float:
    """Of this process and of the workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
