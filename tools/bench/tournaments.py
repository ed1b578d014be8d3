"""Tournaments between bots: all cores against one, memory for few matches and many; standings of 10,000 logs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.bench.figure import Figure

ROOT = Path(__file__).parents[2]
WORDS = ("--game", "cat_in_the_box", "--players", "4", "--seat", "a=bot:steady,b=bot:random,c=bot:steady,d=bot:random", "-q")
A_DEAL = 24
COUNTS = (8 * A_DEAL, 42 * A_DEAL)
"""About 200 and 1,000 matches."""
ALONE = 10 * A_DEAL
LOGS = 10_000
CHILD = (
    "import resource, sys; from runner.__main__ import main; from tools.bench.peak_memory import peak_mib\n"
    "if __name__ == '__main__':\n"
    "  try: main()\n"
    "  finally:\n"
    "    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024\n"
    "    sys.stderr.write(f'peaks {peak_mib()} {workers}\\n')"
)


class Run(NamedTuple):
    """Seconds a command took, and the peaks of memory, in MB, of its own process and of the largest of its workers."""

    seconds: float
    own: float
    workers: float


def figures() -> Iterator[Figure]:
    """Speed-up, memory, standings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = _run(folder, *_words(ALONE, "alone"), "--workers", "1")
        runs = [_run(folder, *_words(count, str(count))) for count in COUNTS]
        yield _speed_up(alone, runs[-1])
        yield from _memory(runs)
        yield from _standings(folder)


def _speed_up(alone: Run, whole: Run) -> Figure:
    cores, one, all_of_them = len(os.sched_getaffinity(0)), ALONE / alone.seconds, COUNTS[-1] / whole.seconds
    note = f"{COUNTS[-1]} matches at {all_of_them:.0f} a second, {ALONE} in one process at {one:.0f}"
    return Figure(f"tournaments: {cores} cores against one", all_of_them / one, note=note, is_gain=True)


def _memory(runs: list[Run]) -> Iterator[Figure]:
    for what, peaks in (("coordinator", [run.own for run in runs]), ("worker", [run.workers for run in runs])):
        note = ", ".join(f"{peak:.0f} MB for {count}" for peak, count in zip(peaks, COUNTS, strict=True))
        yield Figure(f"tournaments: peak memory of a {what}, 1,000 matches against 200", peaks[-1] / peaks[0], note=note)


def _standings(folder: Path) -> Iterator[Figure]:
    copies = -(-LOGS // COUNTS[-1])
    for copy in range(copies):
        shutil.copytree(folder / str(COUNTS[-1]), folder / "all" / str(copy))
    for when, most in (("first", 15.0), ("again", 3.0)):
        run = _run(folder, "standings", "all", "--json")
        what = f"tournaments: standings of {copies * COUNTS[-1]:,} logs, {when}"
        yield Figure(what, run.seconds, "s", most=most, note=f"{run.own:.0f} MB at most")


def _words(matches: int, out: str) -> tuple[str, ...]:
    return ("tournament", *WORDS, "--deals", str(matches // A_DEAL), "-o", out)


def _run(folder: Path, *words: str) -> Run:
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *words],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    own, workers = (float(word) for word in done.stderr.split()[-2:])
    return Run(time.perf_counter() - began, own, workers)
