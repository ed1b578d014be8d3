"""Line input: lines that human players type, read without blocking the event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
from collections.abc import Callable, Collection
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from rich.cells import cell_len
from rich.console import Console

from runner.screen.consoles import discard_output
from runner.screen.keys import Keyboard
from runner.screen.people.editor import LONGEST, LineEditor

_MOST_KEYS = 500
"""Keys handled in a row before the event loop continues."""
_PASTES = ("\x1b[?2004h", "\x1b[?2004l")


class LineInput(Protocol):
    """Source of lines. A context manager that restores the terminal."""

    is_interactive: bool
    """Whether a person types, who can confirm an answer."""

    def forget(self) -> None:
        """Drop what was typed while no question was open."""

    async def read(self, prompt: str, at_once: Collection[str] = (), keeps_breaks: bool = False) -> str:
        """The next line, without its line break. EOFError at the end.

        On a terminal, a key of `at_once` at the start of the line is a whole line, and with `keeps_breaks` several lines that
        are pasted are one text.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...


def line_input(console: Console) -> LineInput:
    """The lines of standard input: with a line editor on a capable terminal, else plain."""
    if sys.stdin.isatty() and console.is_terminal and not console.is_dumb_terminal:
        return TerminalLines(console)
    return PlainLines(console)


class TerminalLines:
    """Lines edited on a terminal. Keys are not echoed, so that input at the wrong time does not disturb the table."""

    is_interactive = True

    def __init__(self, console: Console) -> None:
        self._console = console
        self._keyboard = Keyboard()
        self._keeps_breaks = False

    def __enter__(self) -> Self:
        self._keyboard.__enter__()
        self._write(_PASTES[0])
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._write(_PASTES[1])
        self.forget()
        with suppress(termios.error):
            self._keyboard.__exit__(kind, error, trace)

    def forget(self) -> None:
        """Drop what was typed before the question."""
        with suppress(termios.error):  # the terminal may be gone
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    async def read(self, prompt: str, at_once: Collection[str] = (), keeps_breaks: bool = False) -> str:
        """The next line, edited until Enter. EOFError for Ctrl-D and when the terminal is gone."""
        editor, done = LineEditor(at_once), asyncio.get_running_loop().create_future()
        self._keeps_breaks = keeps_breaks
        try:
            self._draw(prompt, editor)
            await _while_readable(lambda: self._take(prompt, editor, done), done)
        finally:
            self._write("\r\n")
        return editor.text

    def _take(self, prompt: str, editor: LineEditor, done: asyncio.Future[None]) -> None:
        for _ in range(_MOST_KEYS):
            key = self._keyboard.read(0)
            if key is None or done.done():
                break
            if key == "gone":
                discard_output()
            if key in ("eof", "gone"):
                done.set_exception(EOFError())
                break
            is_pasted = self._keeps_breaks and key == "enter" and self._keyboard.has_more()
            if editor.press("break" if is_pasted else key):
                done.set_result(None)
                break
        self._draw(prompt, editor)

    def _draw(self, prompt: str, editor: LineEditor) -> None:
        text, at = editor.shown(self._console.width - cell_len(prompt))
        column = cell_len(prompt) + at
        self._write(f"\r\x1b[K{prompt}{text}\r" + (f"\x1b[{column}C" if column else ""))

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()


class PlainLines:
    """Lines of a pipe, a file, or a terminal that cannot move its cursor."""

    def __init__(self, console: Console) -> None:
        self.is_interactive = sys.stdin.isatty()
        self._console = console
        self._left = b""
        self._has_ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Nothing to restore: the terminal was not changed."""

    def forget(self) -> None:
        """Drop what was typed at a terminal before the question; a script may write ahead."""
        if self.is_interactive:
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    async def read(self, prompt: str, at_once: Collection[str] = (), keeps_breaks: bool = False) -> str:
        """The next line. EOFError at the end."""
        self._console.print(prompt, end="")
        while b"\n" not in self._left and not self._has_ended:
            await self._more()
        if not self.is_interactive or self._has_ended:
            self._console.print()
        if not self._left:
            raise EOFError
        line, _, self._left = self._left.partition(b"\n")
        return line.decode(sys.stdin.encoding, "replace").removesuffix("\r")[:LONGEST]

    async def _more(self) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def is_readable() -> None:
            if not done.done():
                done.set_result(None)

        await _while_readable(is_readable, done)
        try:
            read = os.read(sys.stdin.fileno(), 65536)
        except OSError:
            discard_output()
            read = b""
        self._has_ended = not read
        kept = 4 * LONGEST
        if b"\n" in read or len(self._left) < kept:
            self._left += read


async def _while_readable(take: Callable[[], object], done: asyncio.Future[None]) -> None:
    """Call `take` whenever input is ready, until `done`. A regular file is always ready."""
    loop, file = asyncio.get_running_loop(), sys.stdin.fileno()
    try:
        loop.add_reader(file, take)
    except PermissionError:
        take()
    try:
        await done
    finally:
        loop.remove_reader(file)
