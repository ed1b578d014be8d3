"""Table pane: a game's table, and below it what a newcomer has to know as long as there is room."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from runner.screen.palette import QUIET

Lines = list[list[Segment]]


@dataclass(slots=True)
class Room:
    """Whether the reference has had room: once a table needs its lines it stays away while the size is the same."""

    size: tuple[int, int] = (0, 0)
    is_taken: bool = False

    def holds(self, width: int, height: int, lines: int) -> bool:
        """Whether this number of lines fits, and always did at this size."""
        if self.size != (width, height):
            self.size, self.is_taken = (width, height), False
        self.is_taken = self.is_taken or lines > height
        return not self.is_taken


@dataclass(frozen=True, slots=True)
class TablePane:
    """The table from the top, `bars` (with a blank line above) and `reference` from the bottom; a table that is too high is
    cut, and says so."""

    table: RenderableType
    reference: RenderableType | None = None
    bars: RenderableType | None = None
    room: Room = field(default_factory=Room)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or options.max_height
        free = options.update(width=width, height=None)
        bars = self._lines(console, free, self.bars)
        bars = bars if len(bars) * 3 < height else []
        free.max_height = max(1, height - len(bars))
        table = _cut(console, free, console.render_lines(self.table, free), height - len(bars))
        reference = self._lines(console, free, self.reference)
        if reference and not self.room.holds(width, height, len(table) + len(reference) + len(bars)):
            reference = []
        blank = [Segment(" " * width)]
        gap = height - len(table) - len(reference) - len(bars)
        for line in (*table, *([blank] * gap), *reference, *bars):
            yield from line
            yield Segment.line()

    def _lines(self, console: Console, options: ConsoleOptions, part: RenderableType | None) -> Lines:
        return [] if part is None else [[Segment(" " * options.max_width)], *console.render_lines(part, options)]


def _cut(console: Console, options: ConsoleOptions, lines: Lines, height: int) -> Lines:
    """The lines, cut at the bottom if they do not fit."""
    if len(lines) <= height:
        return lines
    kept = max(0, height - 1)
    note = Text(f"… {len(lines) - kept} lines do not fit …", style=QUIET, no_wrap=True)
    return [*lines[:kept], *console.render_lines(note, options)]
