"""Where results and narration go."""

from __future__ import annotations

import os
import re
import stat
import sys
from typing import Any

from rich.cells import cell_len
from rich.console import Console

_UNFOLDED = 10_000
"""Columns of what is no terminal: more than any table takes."""


class _Console(Console):
    """A console that leaves it to the command what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        raise


def results() -> Console:
    """Standard output: results. In a pipe or a file nothing is folded: a row of a table is a line."""
    console = _console(stderr=False)
    return console if console.is_terminal else _Unfolded(width=_UNFOLDED, highlight=False, markup=False, emoji=False)


class _Unfolded(Console):
    """Prints lines as long as they are, without blanks at their ends."""

    def print(self, *objects: Any, **options: Any) -> None:
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write("".join(f"{line.rstrip(' ')}\n" for line in captured.get().split("\n")[:-1]))


def narration() -> Console:
    """Standard error: narration and the live table."""
    return _console(stderr=True)


def say_aside(words: str) -> None:
    """A line of narration: whole in a pipe, wrapped between words on a terminal, but never within a command."""
    console = narration()
    console.print(_wrapped(words, console.width) if console.is_terminal else words, soft_wrap=True)


def _wrapped(words: str, width: int) -> str:
    """Words in lines of so many columns; what stands in backquotes stays whole, if need be on a longer line."""
    lines: list[str] = []
    for word in _WORDS.findall(words):
        if lines and cell_len(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


_WORDS = re.compile(r"(?:`[^`]*`|\S)+")


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
