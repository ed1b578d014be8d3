"""Running the command as a user does: in a process of its own, in an empty folder, with a bare environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PRIVATE = re.compile(r"OPENROUTER|OPENAI|MODEL_PLAYER|DEFAULT_MODEL|NO_COLOR|FORCE_COLOR|COLUMNS|LINES")


def environment(**extra: str) -> dict[str, str]:
    bare = {name: value for name, value in os.environ.items() if not PRIVATE.search(name)}
    return {**bare, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **extra}


def tabletop(folder: Path, *words: str, timeout: float = 90, **env: str) -> subprocess.CompletedProcess[str]:
    """The finished command."""
    return subprocess.run(
        [sys.executable, "-m", "runner", *words],
        cwd=folder,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


def start(folder: Path, *words: str, **options: Any) -> subprocess.Popen[str]:
    """The command, running."""
    return subprocess.Popen(
        [sys.executable, "-m", "runner", *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **options,
    )


@contextmanager
def offline_server(folder: Path, *words: str) -> Iterator[str]:
    """The offline model in another process; its base URL."""
    process = start(folder, "offline-server", "--port", "0", *words)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line.split()[-1]
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=20)
        assert "Traceback" not in errors


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a refused command; what was narrated before it does not count."""
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line.startswith(("tabletop: ", "Error: "))]
    assert len(lines) == 1, done.stderr
    return lines[0]
