"""Live region: the lower lines of a terminal, redrawn in place below text that scrolls.

Own code instead of `rich.live`: rich erases the region and redraws all of it for every frame, which flickers over slow
connections and costs more than the matches of bots; it loses the scrolled text when the terminal is resized; and a
program that prints from a thread leaves stray lines.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, Group, RenderableType
from rich.text import Text

from runner.screen.echo_off import EchoOff
from runner.screen.palette import QUIET
from runner.screen.responsive import MaxHeight

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")
_ENTER, _LEAVE = "\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h"
"""Hide the cursor and switch line wrapping off, because terminals disagree about the width of some letters."""
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronized output: terminals that support it show everything in between at once."""
_REST_OF_LINE, _BELOW = "\x1b[K", "\x1b[J"
_REMEMBERED = 100


class _Drawn(NamedTuple):
    part: RenderableType
    size: ConsoleDimensions
    room: int
    lines: list[str]


class Region:
    """Draws on a terminal without flicker: only changed lines are written, and nothing is erased beforehand.

    When the terminal changes its size, everything is redrawn.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._echo = EchoOff()
        self._lines: list[str] | None = None
        self._size = console.size
        self._printed: deque[Text] = deque(maxlen=_REMEMBERED)
        self._drawn: _Drawn | None = None

    def show(self, above: Iterable[Text], top: RenderableType, middle: RenderableType, bottom: RenderableType) -> None:
        """Print the `above` lines and show the three parts below them.

        The middle gets the lines that the others leave. It is rendered again only if it is another object.
        """
        size = self._console.size
        texts = [*above]
        new = self._story(texts)
        self._printed.extend(texts)
        first, last = self._rendered(top), self._rendered(bottom)
        room = size.height - 1 - len(first) - len(last)
        lines = [*first, *self._fitted(self._table(middle, size, room), room), *last]
        if self._lines is None:
            self._begin()
            written = self._written(new, lines, [])
        elif size != self._size:
            written = _cleared(size.height) + self._written(self._last_lines(size.height - 1 - len(lines)), lines, [])
        else:
            written = self._written(new, lines, self._lines)
        self._lines, self._size = lines, size
        if written:
            self._write(_BEGIN + written + _END)

    def hide(self, above: Iterable[Text] = ()) -> None:
        """Print the `above` lines, remove the region, and restore the terminal."""
        new = self._story([*above])
        if self._lines is None:
            if new:
                self._write("".join(f"{line}\n" for line in new))
            return
        was_resized = self._console.size != self._size
        up = _cleared(self._console.height) if was_resized else _up(len(self._lines))
        if was_resized:
            new = [*self._last_lines(self._console.height - 1 - len(new)), *new]
        self._write(up + _BELOW + "".join(f"{line}\n" for line in new) + _LEAVE)
        self._lines = None
        self._echo.stop()

    def leave(self, what: RenderableType) -> None:
        """Print something that stays, after `hide`."""
        self._write("".join(f"{line}\n" for line in self._rendered(what)))

    def _begin(self) -> None:
        self._echo.start()
        self._write(_ENTER)

    def _written(self, above: list[str], lines: list[str], before: list[str]) -> str:
        """The output that replaces the lines `before` on the terminal by these."""
        if not above and lines == before:
            return ""
        width, output = self._console.width, _up(len(before))
        old = [] if above else before
        for index, line in enumerate([*above, *lines]):
            is_same = index < len(old) and old[index] == line
            output += "\n" if is_same else _ended(line, width)
        return output + (_BELOW if len(before) > len(above) + len(lines) else "")

    def _last_lines(self, most: int) -> list[str]:
        return self._story([*self._printed])[-most:] if most > 0 else []

    def _table(self, part: RenderableType, size: ConsoleDimensions, room: int) -> list[str]:
        drawn = self._drawn
        if drawn is None or drawn.part is not part or (drawn.size, drawn.room) != (size, room):
            drawn = self._drawn = _Drawn(part, size, room, self._rendered(MaxHeight(part, room)))
        return drawn.lines

    def _story(self, texts: list[Text]) -> list[str]:
        return self._rendered(Group(*texts)) if texts else []

    def _rendered(self, what: RenderableType) -> list[str]:
        with self._console.capture() as capture:
            self._console.print(what)
        return [line.rstrip(" ") for line in capture.get().removesuffix("\n").split("\n")]

    def _fitted(self, lines: list[str], room: int) -> list[str]:
        """The lines, cut at the bottom if they do not fit."""
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
    """The output that clears a terminal, line by line: some terminals save a screen that is erased at once."""
    return "\x1b[H" + "\x1b[2K\x1b[B" * height + "\x1b[H"


def _cells(line: str) -> int:
    return cell_len(_ESCAPE.sub("", line))


def _ended(line: str, width: int) -> str:
    """A line that replaces another. Erasing after a full line would remove its last letter on some terminals."""
    return f"{line}{_REST_OF_LINE}\n" if _cells(line) < width else f"{line}\n"
