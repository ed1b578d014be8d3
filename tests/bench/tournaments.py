"""Tournaments between bots: matches a second with all cores and with one, memory for few and many, standings of 10,000 logs.

Run `python -m tests.bench.tournaments`.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = ("--game", "cat_in_the_box", "--players", "4", "--agents", "a=bot:steady,b=bot:random,c=bot:steady,d=bot:random", "-q")
A_DEAL = 24
MATCHES, FEW, LOGS = 2000, 240, 10_000
CHILD = (
    "import resource, sys; from runner.__main__ import main\n"
    "try: main()\n"
    "finally: sys.stderr.write(f'peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}\\n')"
)


def run(folder: Path, *words: str) -> tuple[float, int]:
    """Seconds a command takes, and its peak of memory in MB, workers not counted."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *words],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - began, int(done.stderr.split()[-1]) // 1024


def say(what: str, figures: tuple[float, int], count: int) -> None:
    seconds, memory = figures
    sys.stdout.write(f"{what}: {seconds:.1f} s, {count / seconds:.0f} a second, {memory} MB at most\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few, many = str(FEW // A_DEAL), str(-(-MATCHES // A_DEAL))
        say(
            f"{FEW} matches, one process",
            run(folder, "tournament", *WORDS, "--deals", few, "--workers", "1", "--out", "one"),
            FEW,
        )
        say(f"{FEW} matches, all cores", run(folder, "tournament", *WORDS, "--deals", few, "--out", "few"), FEW)
        played = int(many) * A_DEAL
        say(f"{played} matches, all cores", run(folder, "tournament", *WORDS, "--deals", many, "--out", "many"), played)
        copies = -(-LOGS // played)
        for copy in range(copies):
            shutil.copytree(folder / "many", folder / "all" / str(copy))
        say(f"standings of {copies * played} logs", run(folder, "standings", "all", "--json"), copies * played)
        say("the same again", run(folder, "standings", "all", "--json"), copies * played)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    sys.stdout.write(f"largest process of all: {workers} MB\n")


if __name__ == "__main__":
    main()
