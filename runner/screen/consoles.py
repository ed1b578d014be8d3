"""Consoles: results on standard output, narration on standard error."""

from __future__ import annotations

import os
import re
import stat
import sys
from typing import Any

from rich.cells import cell_len
from rich.console import Console

_UNWRAPPED = 10_000
"""Columns where there is no terminal: wider than any table."""


class _Console(Console):
    """A console that lets the command handle a closed pipe."""

    def on_broken_pipe(self) -> None:
        raise


def results() -> Console:
    """Standard output. In a pipe or a file no line is wrapped: a row of a table is one line."""
    console = _console(stderr=False)
    return console if console.is_terminal else _Unwrapped(width=_UNWRAPPED, highlight=False, markup=False, emoji=False)


class _Unwrapped(Console):
    """Prints lines at full length, without trailing blanks."""

    def print(self, *objects: Any, **options: Any) -> None:
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write("".join(f"{line.rstrip(' ')}\n" for line in captured.get().split("\n")[:-1]))


def narration() -> Console:
    """Standard error."""
    return _console(stderr=True)


def print_note(words: str) -> None:
    """Print a note on standard error; on a terminal it is wrapped, but never within a command in backquotes."""
    console = narration()
    console.print(_wrapped(words, console.width) if console.is_terminal else words, soft_wrap=True)


def _wrapped(words: str, width: int) -> str:
    """The words in lines of `width` columns. Text in backquotes is not broken, even if the line gets longer."""
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


def discard_output() -> None:
    """Discard all further output to a terminal that is gone."""
    for file in (sys.stdout.fileno(), sys.stderr.fileno()):
        if stat.S_ISCHR(os.fstat(file).st_mode):
            os.dup2(os.open(os.devnull, os.O_WRONLY), file)


def is_animated(console: Console) -> bool:
    """Whether a live table can be drawn: on a real terminal, unless NO_COLOR is set."""
    return console.is_terminal and not console.is_dumb_terminal and "NO_COLOR" not in os.environ
