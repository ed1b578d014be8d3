"""Line input: lines that human players type, read without blocking the event loop."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, Self

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from runner.screen.consoles import discard_output
from runner.screen.keys import SUSPEND, Keyboard, suspend
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.screen.live import LiveScreen

LONGEST = 4000
"""Maximum length of a line; further input is dropped."""
_MOST_KEYS = 500
"""Keys handled in a row before the event loop continues."""
_PASTES = ("\x1b[?2004h", "\x1b[?2004l")
_LETTERS = {"space": " ", "tab": " ", "enter": "\n", "break": "\n"}
_BREAK = "¶"
"""Sign for a line break in the text."""


class _AnyKey(Container[str]):
    def __contains__(self, key: object) -> bool:
        return True


ANY_KEY = _AnyKey()
"""Keys that end a line at once: all of them."""


class LineEditor:
    """Text with a cursor. `press` takes keys as `Keyboard` names them, and `break` for a line break in the text.

    Pasted line breaks do not end the line. A key of `at_once` does, where nothing is typed before it. Up brings back `earlier`,
    a text that was not meant.
    """

    def __init__(self, at_once: Container[str] = (), earlier: str = "") -> None:
        self._at_once, self._earlier = at_once, earlier
        self.text = ""
        self._at = 0
        self._is_pasting = False

    def press(self, key: str) -> bool:
        """Handle a key. True when the line is finished."""
        if key in ("paste", "pasted"):
            self._is_pasting = key == "paste"
        elif key == "enter" and not self._is_pasting:
            return True
        elif key in self._at_once and not self._is_pasting and not self.text.strip():
            self.text = key
            return True
        elif key == "up" and self._earlier and not self.text:
            self.text, self._at = self._earlier, len(self._earlier)
        elif letter := _LETTERS.get(key, clean(key) if len(key) == 1 and key >= " " else ""):
            if len(self.text) < LONGEST:
                self.text, self._at = self.text[: self._at] + letter + self.text[self._at :], self._at + 1
        else:
            self._edit(key)
        return False

    def shown(self, columns: int) -> tuple[str, int]:
        """The part of the text around the cursor that fits into `columns`, a third of it after the cursor where there is as
        much, and the cursor's column in it."""
        before, after, room = _safe(self.text[max(0, self._at - columns) : self._at]), _safe(self.text[self._at :]), columns - 1
        while cell_len(before) > room - min(cell_len(after), room // 3):
            before = before[1:]
        return before + set_cell_size(after, min(cell_len(after), room - cell_len(before))), cell_len(before)

    def wrapped(self, columns: int, most: int) -> tuple[list[str], int, int]:
        """The text in lines of `columns`, broken after words, at most `most` of them around the cursor; its line and column."""
        text, starts = f"{self.text} ", [0]
        for place, letter in enumerate(text):
            line = text[starts[-1] : place + 1]
            if letter == "\n":
                starts.append(place + 1)
            elif letter != " " and cell_len(_safe(line)) > columns:
                word = line.rfind(" ") + 1
                starts.append(starts[-1] + word if word else place)
        row = bisect_right(starts, self._at) - 1
        top, column = max(0, row - most + 1), cell_len(_safe(text[starts[row] : self._at]))
        lines = [_safe(text[start:end])[:columns] for start, end in pairwise([*starts, len(text)])]
        return lines[top : top + most], row - top, min(columns, column)

    def _edit(self, key: str) -> None:
        """Move the cursor, or cut from it: a letter, a word, all before it, all after it."""
        at, size, before = self._at, len(self.text), self.text[: self._at].rstrip()
        moves = {"left": at - 1, "right": at + 1, "home": 0, "\x01": 0, "end": size, "\x05": size}
        word = before.rfind(" ") + 1
        cuts = {"backspace": (at - 1, at), "delete": (at, at + 1), "\x17": (word, at), "\x15": (0, at), "\x0b": (at, size)}
        if key in moves:
            self._at = max(0, min(size, moves[key]))
        elif key in cuts:
            self._at, end = max(0, cuts[key][0]), cuts[key][1]
            self.text = self.text[: self._at] + self.text[end:]


def _safe(text: str) -> str:
    return "".join(_BREAK if letter == "\n" else clean(letter) for letter in text)


class LineInput(Protocol):
    """Source of lines. A context manager that restores the terminal."""

    is_interactive: bool
    """Whether a person types, who can confirm an answer."""
    page: LiveScreen | None = None
    """The page on which they type."""

    def forget(self) -> None:
        """Drop what was typed while no question was open."""

    async def read(self, prompt: str, at_once: Container[str] = (), keeps_breaks: bool = False, earlier: str = "") -> str:
        """The next line, without its line break. EOFError at the end.

        On a terminal, a key of `at_once` at the start of the line is a whole line, and with `keeps_breaks` several lines that
        are pasted are one text, whose length is shown beside it; Up brings back `earlier`.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def line_input(console: Console) -> LineInput:
    """The lines of standard input: with a line editor on a capable terminal, else plain."""
    if sys.stdin.isatty() and console.is_terminal and not console.is_dumb_terminal:
        return TerminalLines(console)
    return PlainLines(console)


class TerminalLines(LineInput):
    """Lines edited on a terminal. Keys are not echoed, so that input at the wrong time does not disturb the table."""

    is_interactive = True

    def __init__(self, console: Console) -> None:
        self._console, self._keyboard = console, Keyboard()

    def __enter__(self) -> Self:
        self._keyboard.__enter__()
        self._write(_PASTES[0])
        return self

    def __exit__(self, *_: object) -> None:
        self._write(_PASTES[1])
        self.forget()
        with suppress(termios.error):
            self._keyboard.__exit__()

    def forget(self) -> None:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    async def read(self, prompt: str, at_once: Container[str] = (), keeps_breaks: bool = False, earlier: str = "") -> str:
        editor, loop = LineEditor(at_once, earlier), asyncio.get_running_loop()
        done = loop.create_future()

        def resized() -> None:
            if self.page is not None:
                self.page.draw()
            self._draw(prompt, editor, keeps_breaks)

        try:
            self._draw(prompt, editor, keeps_breaks)
            with suppress(NotImplementedError, RuntimeError, ValueError):  # no signals outside of the main thread
                loop.add_signal_handler(signal.SIGWINCH, resized)
            await _while_readable(lambda: self._take(prompt, editor, done, keeps_breaks), done)
        finally:
            loop.remove_signal_handler(signal.SIGWINCH)
            self._write("\r\n")
        return editor.text

    def _take(self, prompt: str, editor: LineEditor, done: asyncio.Future[None], keeps_breaks: bool) -> None:
        for _ in range(_MOST_KEYS):
            key = self._keyboard.read(0)
            if key is None or done.done():
                break
            if key == "gone":
                discard_output()
            if key == SUSPEND:
                suspend(self._leave, self._come_back)
                continue
            if key in ("eof", "gone"):
                done.set_exception(EOFError())
                break
            is_pasted = keeps_breaks and key == "enter" and self._keyboard.has_more()
            if editor.press("break" if is_pasted else key):
                done.set_result(None)
                break
        self._draw(prompt, editor, keeps_breaks)

    def _leave(self) -> None:
        if self.page is not None:
            self.page.screen.hide()
        self._write(_PASTES[1])
        self._keyboard.__exit__()

    def _come_back(self) -> None:
        self._keyboard.__enter__()
        self._write(_PASTES[0])
        if self.page is not None:
            self.page.draw()

    def _draw(self, prompt: str, editor: LineEditor, has_length: bool) -> None:
        length = f" {len(editor.text):>4}" if has_length and editor.text else ""
        if has_length and self.page is not None:
            self._draw_lines(prompt, editor, length, self.page.typing)
            return
        text, at = editor.shown(max(2, self._console.width - cell_len(prompt) - len(length)))
        column, blank = cell_len(prompt) + at, self._console.width - cell_len(prompt + text) - len(length)
        self._write(f"\r\x1b[K{prompt}{text}{' ' * blank if length else ''}{length}\r" + (f"\x1b[{column}C" if column else ""))

    def _draw_lines(self, prompt: str, editor: LineEditor, length: str, rows: range) -> None:
        """The text in all the rows that it has, its length at the end of the last one."""
        indent, width = cell_len(prompt), self._console.width
        lines, at, column = editor.wrapped(max(1, width - indent - len(" 4000 ")), len(rows))
        heads, blanks = [prompt, *[" " * indent] * (len(rows) - 1)], [""] * (len(rows) - len(lines))
        drawn = [f"\x1b[{row};1H\x1b[K{head}{line}" for row, head, line in zip(rows, heads, [*lines, *blanks], strict=True)]
        end = f"\x1b[{rows[-1]};{max(1, width - len(length))}H{length}"
        self._write(f"{''.join(drawn)}{end}\x1b[{rows[0] + at};{indent + column + 1}H")

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()


class PlainLines(LineInput):
    """Lines of a pipe, a file, or a terminal that cannot move its cursor."""

    def __init__(self, console: Console) -> None:
        self.is_interactive = sys.stdin.isatty()
        self._console = console
        self._left = b""
        self._has_ended = False

    def forget(self) -> None:
        if self.is_interactive:  # a script may write ahead
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    async def read(self, prompt: str, at_once: Container[str] = (), keeps_breaks: bool = False, earlier: str = "") -> str:
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
        ready = asyncio.Event()
        await _while_readable(ready.set, ready.wait())
        try:
            read = os.read(sys.stdin.fileno(), 65536)
        except OSError:
            discard_output()
            read = b""
        self._has_ended = not read
        if b"\n" in read or len(self._left) < 4 * LONGEST:
            self._left += read


async def _while_readable(take: Callable[[], object], done: Awaitable[object]) -> None:
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
