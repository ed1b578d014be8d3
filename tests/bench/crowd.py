"""Whether many matches of models at once hinder one another: the wall time of a tournament, against its longest match alone."""

from __future__ import annotations

import asyncio
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import games
from runner.agents.environment import Settings
from runner.arena.match_runner import ExecutorOptions, MatchRunner, match_set
from runner.arena.plan_file import plan_of
from runner.arena.tournament_dir import TournamentDir
from runner.gc_tuning import collect_seldom
from runner.record.reader import Log, read_log
from tests.bench.figure import Figure
from tests.bench.matches import SHORT, play_all
from tests.bench.stand_in import MODEL, standing_in

_GAMES = ("coup", "dixiquote")
_MATCHES = 200
_DELAY = 0.2
_BUDGET = 1.15


def figures() -> Iterator[Figure]:
    """A figure for a game that asks one seat after the other, and for one that asks most at the same time."""
    collect_seldom()
    for name in _GAMES:
        with standing_in(_DELAY) as url, tempfile.TemporaryDirectory() as folder:
            yield _figure(name, url, Path(folder))


def _figure(name: str, url: str, folder: Path) -> Figure:
    game, options = games.load(name), SHORT.get(name, {})
    event = {"name": name, "options": options, "deals": _MATCHES}
    agents = {"a": f"{MODEL}@{url}", "b": f"{MODEL}@{url}"}
    plan = plan_of({"games": [event], "agents": agents, "rotation": "random", "concurrency": _MATCHES})
    out = TournamentDir(folder / "all")
    runner, before = MatchRunner(match_set(plan, Settings()), out, ExecutorOptions()), _processor_seconds()
    began = time.perf_counter()
    with out.locked():
        assert runner.run(lambda _: None, 1.0)
    together, busy = time.perf_counter() - began, _processor_seconds() - before
    logs = [read_log(path) for path in (folder / "all").rglob("*.jsonl")]
    assert len(logs) == runner.progress.ended == _MATCHES
    calls = sum(1 for log in logs for _ in log.of_kind("attempt"))
    longest = max(logs, key=_steps)
    (alone,) = asyncio.run(play_all(game, url, [longest.header["seed"]], folder / "alone", 1))
    assert alone.steps == _steps(longest)
    note = (
        f"{together:.1f} s for all, start of the workers included; {alone.seconds:.1f} s alone, {alone.steps} steps;"
        f" {calls / together:,.0f} calls/s, {busy / calls * 1000:.2f} ms of processor time a call"
    )
    what = f"crowd: {_MATCHES} matches of {game.title} at {_DELAY * 1000:.0f} ms a call against the longest alone"
    return Figure(what, together / alone.seconds, most=_BUDGET, note=note)


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
