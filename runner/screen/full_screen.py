"""Full screen: a page on the alternate screen of a terminal, redrawn in place.

Own code instead of `rich.live`: rich erases the page and draws all of it for every frame, which flickers over slow
connections and costs more than the matches of bots.
"""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J", "\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Change to the alternate screen and back; there without a cursor, and without line wrapping, because terminals disagree
about the width of some letters."""
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronized output: terminals that support it show everything in between at once."""


class FullScreen:
    """Draws pages without flicker: only changed lines are written. After a change of size everything is redrawn."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._lines: list[str] | None = None
        self._size = console.size
        self._typing = range(0)

    @property
    def is_open(self) -> bool:
        """Whether the alternate screen is shown."""
        return self._lines is not None

    def show(self, page: RenderableType, typing: range = range(0)) -> None:
        """Draw a page that fills the terminal; `typing`: the rows where a person types, which have the cursor and stay."""
        size = self.console.size
        if self._lines is None:
            self._write(_ENTER)
        elif size != self._size:
            self._write("\x1b[2J")
        before = self._lines if self._lines is not None and size == self._size else []
        lines = self._rendered(page, size.height)[: size.height]
        for row in self._typing if before else ():
            if typing == self._typing:
                lines[row - 1] = before[row - 1]
            else:
                before[row - 1] = ""
        changed = [f"\x1b[{row};1H{line}" for row, line in enumerate(lines, 1) if row > len(before) or before[row - 1] != line]
        if not typing:
            changed += ["\x1b[?25l"] * bool(self._typing)
        elif typing != self._typing or not before:
            changed.append(f"\x1b[{typing[0]};1H\x1b[?25h")
        elif changed:
            changed = ["\x1b7", *changed, "\x1b8"]
        self._lines, self._size, self._typing = lines, size, typing
        if changed:
            self._write(_BEGIN + "".join(changed) + _END)

    def begin_line(self) -> None:
        """Put the cursor where the person types, when the next page is drawn."""
        if self._lines is not None:
            for row in self._typing:
                self._lines[row - 1] = ""
            self._typing = range(0)

    def hide(self) -> None:
        """Leave the alternate screen, and restore the terminal."""
        if self._lines is not None:
            self._write(_LEAVE)
            self._lines, self._typing = None, range(0)

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


class Cached:
    """A renderable that is drawn again only for another size."""

    def __init__(self, part: RenderableType) -> None:
        self._part = part
        self._size: tuple[int, int | None, int] | None = None
        self._drawn: list[Segment] = []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        size = (options.max_width, options.height, options.max_height)
        if size != self._size:
            self._drawn, self._size = [*console.render(self._part, options)], size
        yield from self._drawn
