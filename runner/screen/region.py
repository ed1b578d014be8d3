"""The lower lines of a terminal, drawn anew in place; what is told above them scrolls away as in any other command."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, Group, RenderableType
from rich.text import Text

from runner.screen.echo_off import Hushed
from runner.screen.palette import QUIET
from runner.screen.responsive import Within

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")
_BEGUN, _LEFT = "\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h"
"""No cursor; and no line goes on in the next, however wide a terminal holds a letter to be."""
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
"""Terminals that know them show everything between these two at once."""
_REST_OF_LINE, _BELOW = "\x1b[K", "\x1b[J"
_REMEMBERED = 100


class _Drawn(NamedTuple):
    part: RenderableType
    size: ConsoleDimensions
    room: int
    lines: list[str]


class Region:
    """Draws on a console that is a terminal. Only lines that changed are written, and nothing is erased before it is
    written anew, so that nothing flickers; when the terminal changes its size, all of it is drawn again.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._hushed = Hushed()
        self._lines: list[str] | None = None
        self._size = console.size
        self._told: deque[Text] = deque(maxlen=_REMEMBERED)
        self._drawn: _Drawn | None = None

    def show(self, told: Iterable[Text], top: RenderableType, middle: RenderableType, bottom: RenderableType) -> None:
        """Tell these lines, and have the three parts stand below them.

        The middle is drawn for the lines that the others leave, and not again while it is the same object.
        """
        size = self._console.size
        texts = [*told]
        new = self._story(texts)
        self._told.extend(texts)
        first, last = self._rendered(top), self._rendered(bottom)
        room = size.height - 1 - len(first) - len(last)
        lines = [*first, *self._fitted(self._table(middle, size, room), room), *last]
        if self._lines is None:
            self._begin()
            written = self._written(new, lines, [])
        elif size != self._size:
            written = _cleared(size.height) + self._written(self._last_told(size.height - 1 - len(lines)), lines, [])
        else:
            written = self._written(new, lines, self._lines)
        self._lines, self._size = lines, size
        if written:
            self._write(_BEGIN + written + _END)

    def hide(self, told: Iterable[Text] = ()) -> None:
        """Take the region off the terminal, after telling these lines, and leave the terminal as it was."""
        new = self._story([*told])
        if self._lines is None:
            if new:
                self._write("".join(f"{line}\n" for line in new))
            return
        was_resized = self._console.size != self._size
        up = _cleared(self._console.height) if was_resized else _up(len(self._lines))
        if was_resized:
            new = [*self._last_told(self._console.height - 1 - len(new)), *new]
        self._write(up + _BELOW + "".join(f"{line}\n" for line in new) + _LEFT)
        self._lines = None
        self._hushed.end()

    def leave(self, what: RenderableType) -> None:
        """Print something that stays, once the region is hidden."""
        self._write("".join(f"{line}\n" for line in self._rendered(what)))

    def _begin(self) -> None:
        self._hushed.begin()
        self._write(_BEGUN)

    def _written(self, told: list[str], lines: list[str], before: list[str]) -> str:
        """What turns the terminal with the lines `before` into one with these."""
        if not told and lines == before:
            return ""
        width, output = self._console.width, _up(len(before))
        old = [] if told else before
        for index, line in enumerate([*told, *lines]):
            is_same = index < len(old) and old[index] == line
            output += "\n" if is_same else _ended(line, width)
        return output + (_BELOW if len(before) > len(told) + len(lines) else "")

    def _last_told(self, most: int) -> list[str]:
        return self._story([*self._told])[-most:] if most > 0 else []

    def _table(self, part: RenderableType, size: ConsoleDimensions, room: int) -> list[str]:
        drawn = self._drawn
        if drawn is None or drawn.part is not part or (drawn.size, drawn.room) != (size, room):
            drawn = self._drawn = _Drawn(part, size, room, self._rendered(Within(part, room)))
        return drawn.lines

    def _story(self, texts: list[Text]) -> list[str]:
        return self._rendered(Group(*texts)) if texts else []

    def _rendered(self, what: RenderableType) -> list[str]:
        with self._console.capture() as capture:
            self._console.print(what)
        return [line.rstrip(" ") for line in capture.get().removesuffix("\n").split("\n")]

    def _fitted(self, lines: list[str], room: int) -> list[str]:
        """The lines, without the last ones where the terminal is too low for all."""
        kept = max(0, room - 1)
        if len(lines) <= max(room, 1):
            return lines
        note = Text(f"… {len(lines) - kept} lines do not fit …", style=QUIET, no_wrap=True)
        return [*lines[:kept], *self._rendered(note)]

    def _write(self, output: str) -> None:
        self._console.file.write(output)
        self._console.file.flush()


def _up(lines: int) -> str:
    return f"\r\x1b[{lines}A" if lines else "\r"


def _cleared(height: int) -> str:
    """A terminal of so many lines with nothing on it. Line by line: some keep what is erased at once in their history."""
    return "\x1b[H" + "\x1b[2K\x1b[B" * height + "\x1b[H"


def _cells(line: str) -> int:
    return cell_len(_ESCAPE.sub("", line))


def _ended(line: str, width: int) -> str:
    """A line that takes the place of another. Erasing behind a full one would take its last letter on some terminals."""
    return f"{line}{_REST_OF_LINE}\n" if _cells(line) < width else f"{line}\n"
