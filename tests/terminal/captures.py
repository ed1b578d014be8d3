"""Captures of a real terminal, by tmux."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.cli.command import environment
from tests.patience import PATIENCE
from tests.terminal.positions import chosen, voiced

HAS_TMUX = shutil.which("tmux") is not None
SIZES = {40: 20, 60: 24, 80: 24, 120: 40, 200: 50}
"""The terminals on which every position is captured: the lines by columns."""
VOICES = {80: 24, 120: 40, 200: 50}
"""The terminals on which players are shown with what they think and say: the lines by columns."""
HEAD = "=== "


def captures(width: int, *words: str) -> Iterator[tuple[str, str, str]]:
    """Each game and phase with what the terminal then shows; `words` are further ones for `show`."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / "pipe"
        os.mkfifo(pipe)
        tmux = ("tmux", "-S", str(Path(folder) / "tmux"), "-f", os.devnull)
        size = ("-x", str(width), "-y", str(SIZES[width]))
        _run(*tmux, "new-session", "-d", *size, sys.executable, "-m", "tests.terminal.show", str(pipe), *words)
        try:
            for _ in range(sum(map(len, (voiced() if words else chosen()).values()))):
                game, _, phase = _run("cat", str(pipe)).strip().partition("\t")  # bounded, should the other end have died
                yield game, phase, _run(*tmux, "capture-pane", "-p")
                pipe.write_text("\n")
        finally:
            _run(*tmux, "kill-server", check=False)


def goldens(width: int) -> dict[str, str]:
    """All captures at a width, as they are kept: one text for each game."""
    found: dict[str, list[str]] = {}
    for game, phase, screen in captures(width):
        found.setdefault(game, []).append(_part(phase, screen))
    return {game: "\n".join(parts) for game, parts in found.items()}


def voices(width: int) -> str:
    """The captures of every game at a width where players have thought and talked, as one text."""
    shown = captures(width, "voices")
    return "\n".join(_part(f"{game}: {phase}", screen) for game, phase, screen in shown)


def _part(name: str, screen: str) -> str:
    lines = [line.rstrip() for line in screen.rstrip().split("\n")]
    return f"{HEAD}{name}\n" + "\n".join(lines) + "\n"


def file_of(game: str, width: int) -> Path:
    """Where they are kept."""
    return Path(__file__).parent / "goldens" / f"{game}-{width}.txt"


def _run(*words: str, check: bool = True) -> str:
    env = environment(TERM="xterm-256color", LC_ALL="C.UTF-8")
    return subprocess.run(words, check=check, capture_output=True, encoding="utf-8", env=env, timeout=PATIENCE).stdout
