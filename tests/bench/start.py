"""How soon the command is there: the time it takes the processor, against importing what every such command is made of."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.figure import Figure

_ROUNDS = 11
_BARE = (sys.executable, "-c", "import typer, rich")
_HELP = (sys.executable, "-m", "runner", "--help")


def figures() -> Iterator[Figure]:
    """One figure: `tabletop --help`."""
    pairs = [(_seconds(_HELP), _seconds(_BARE)) for _ in range(_ROUNDS)]
    ours, bare = (min(times) for times in zip(*pairs, strict=True))
    note = f"{ours * 1000:.0f} ms of processor time, bare {bare * 1000:.0f} ms"
    yield Figure('start: tabletop --help against python -c "import typer, rich"', ours / bare, most=3, note=note)


def _seconds(command: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
