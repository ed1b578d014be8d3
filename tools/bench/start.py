"""How soon the command is there: the time it takes the processor, against importing what every such command is made of."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tools.bench.figure import Figure

_ROUNDS = 11
_BARE = (sys.executable, "-c", "import typer, rich")
_HELP = (sys.executable, "-m", "runner", "--help")
_OPTION = (
    sys.executable,
    "-c",
    "import typer\napp = typer.Typer()\n@app.command()\ndef run(n: int = typer.Option(3)):\n  print(n)\napp(['--n', '5'])",
)
"""The smallest command with an option: Typer loads pydantic to read its value."""

_PLAY = (sys.executable, "-m", "runner", "play", "coup", *("--seat", "bot:steady") * 3)


def figures() -> Iterator[Figure]:
    """`tabletop --help`, and the first line of a match between bots."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [[_seconds(command, folder) for command in (_BARE, _OPTION, _HELP, _PLAY)] for _ in range(_ROUNDS)]
    bare, option, shown, played = (min(times) for times in zip(*runs, strict=True))
    yield _figure("tabletop --help", shown, bare, 3)
    yield _figure("first line of tabletop play coup between bots", played, bare, 2)
    yield _figure("the smallest Typer command with an option", option, bare)


def _figure(what: str, ours: float, bare: float, most: float | None = None) -> Figure:
    note = f"{ours * 1000:.0f} ms of processor time, bare {bare * 1000:.0f} ms"
    return Figure(f'start: {what} against python -c "import typer, rich"', ours / bare, most=most, note=note)


def _seconds(command: tuple[str, ...], folder: str) -> float:
    """Processor seconds of a command until its first line, or its end without one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    paths = {"PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env={**os.environ, **paths}
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
