"""Full screen: a page on the alternate screen of a terminal, redrawn in place.

Own code instead of `rich.live`: rich erases the page and draws all of it for every frame, which flickers over slow
connections and costs more than the matches of bots.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType

from runner.screen.echo_off import EchoOff

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J", "\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Change to the alternate screen and back; there without a cursor, and without line wrapping, because terminals disagree
about the width of some letters."""
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronized output: terminals that support it show everything in between at once."""


class FullScreen:
    """Draws pages without flicker: only changed lines are written. After a change of size everything is redrawn."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._echo = EchoOff()
        self._lines: list[str] | None = None
        self._size = console.size

    @property
    def is_open(self) -> bool:
        """Whether the alternate screen is shown."""
        return self._lines is not None

    def show(self, page: RenderableType) -> None:
        """Draw a page that fills the terminal."""
        size = self.console.size
        if self._lines is None:
            self._echo.start()
            self._write(_ENTER)
        elif size != self._size:
            self._write("\x1b[2J")
        before = self._lines if self._lines is not None and size == self._size else []
        lines = self._rendered(page, size.height)[: size.height]
        changed = [f"\x1b[{row};1H{line}" for row, line in enumerate(lines, 1) if row > len(before) or before[row - 1] != line]
        self._lines, self._size = lines, size
        if changed:
            self._write(_BEGIN + "".join(changed) + _END)

    def hide(self) -> None:
        """Leave the alternate screen, and restore the terminal."""
        if self._lines is not None:
            self._write(_LEAVE)
            self._lines = None
            self._echo.stop()

    def leave(self, parts: Iterable[RenderableType]) -> None:
        """Print parts that stay on the normal screen, after `hide`."""
        for part in parts:
            self._write("".join(f"{line.rstrip(' ')}\n" for line in self._rendered(part)))

    def _rendered(self, what: RenderableType, height: int | None = None) -> list[str]:
        with self.console.capture() as capture:
            self.console.print(what, height=height)
        return capture.get().removesuffix("\n").split("\n")

    def _write(self, output: str) -> None:
        self.console.file.write(output)
        self.console.file.flush()
