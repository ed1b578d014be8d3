"""Voices: what players thought and said last, in a panel by the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from runner.screen.hanging_text import HangingText
from runner.screen.palette import QUIET, TITLE
from runner.screen.responsive import MaxHeight

_BESIDE = 190
"""Columns from which the panel is beside the table."""
_TABLE, _SIDE, _GAP = 120, 80, 3
_LEAST, _MOST_BELOW, _MOST_BESIDE = 3, 10, 24
"""Lines of the panel: those that a table below its full height leaves, and the most."""
_TITLED = 4
_SHORT = 30
"""Lines of a terminal that has no room for the story above the table."""


class Voice(NamedTuple):
    """A thought, or with `is_public` a line of table talk. The story above the table tells what is public, too."""

    line: HangingText
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class TableWithVoices:
    """A table and the last voices, oldest first: beside it where the terminal is wide, else in the lines that it leaves."""

    table: RenderableType
    voices: Sequence[Voice]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width >= _BESIDE:
            yield self._beside(console, options)
            return
        room = options.max_height
        least = _LEAST if self._heard(console) else 0
        lines = console.render_lines(MaxHeight(self.table, room - least), options, pad=False)
        for line in lines:
            yield from line
            yield Text("\n", end="")
        yield from self._panel(console, options.max_width, min(_MOST_BELOW, room - len(lines)))

    def _beside(self, console: Console, options: ConsoleOptions) -> RenderableType:
        side = min(_SIDE, options.max_width - _TABLE - _GAP)
        left = options.max_width - side - _GAP
        grid = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        grid.add_column(width=left)
        grid.add_column(width=side)
        room = options.max_height
        panel = Group(*self._panel(console, side, min(_MOST_BESIDE, room)))
        grid.add_row(MaxHeight(self.table, room), panel)
        return grid

    def _heard(self, console: Console) -> list[Voice]:
        """The voices that the panel has to tell."""
        is_short = console.height < _SHORT
        return [voice for voice in self.voices if is_short or not voice.is_public]

    def _panel(self, console: Console, width: int, room: int) -> Iterator[RenderableType]:
        heard = self._heard(console)
        if heard and room >= _TITLED:
            yield Rule(Text(_title(heard), style=TITLE), align="left", style=QUIET)
            room -= 1
        yield from _newest(console, [voice.line for voice in heard], width, room)


def _title(heard: Sequence[Voice]) -> str:
    talks, thinks = any(voice.is_public for voice in heard), any(not voice.is_public for voice in heard)
    return "Thoughts and talk" if talks and thinks else "Talk" if talks else "Thoughts"


def _newest(console: Console, heard: Sequence[HangingText], width: int, room: int) -> list[Text]:
    """The newest lines that fit, oldest first, the oldest one cut."""
    lines: list[Text] = []
    for text in reversed(heard):
        if len(lines) < room:
            lines = text.first_lines(console, width, room - len(lines)) + lines
    return lines
