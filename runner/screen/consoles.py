"""Where results and narration go."""

from __future__ import annotations

import os
import stat
import sys

from rich.console import Console


class _Console(Console):
    """A console that leaves it to the command what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        raise


def results() -> Console:
    """Standard output: results."""
    return _console(stderr=False)


def narration() -> Console:
    """Standard error: narration and the live table."""
    return _console(stderr=True)


def say_aside(words: str) -> None:
    """A line of narration: whole in a pipe, wrapped between words on a terminal."""
    console = narration()
    console.print(words, soft_wrap=not console.is_terminal)


def _console(stderr: bool) -> Console:
    return _Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def fall_silent() -> None:
    """The terminal is gone: what is still to be said there goes nowhere."""
    for file in (sys.stdout.fileno(), sys.stderr.fileno()):
        if stat.S_ISCHR(os.fstat(file).st_mode):
            os.dup2(os.open(os.devnull, os.O_WRONLY), file)


def is_animated(console: Console) -> bool:
    """Whether a live table may be drawn: on a real terminal, unless colours and animation were switched off."""
    return console.is_terminal and not console.is_dumb_terminal and "NO_COLOR" not in os.environ
