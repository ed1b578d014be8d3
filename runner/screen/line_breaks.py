"""Line breaks: texts with a hanging indent, texts that break after slashes, and parts drawn for a width."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.containers import Lines
from rich.measure import Measurement
from rich.text import Text

_INDENT = 4


class HangingText(Text):
    """A text whose further lines are indented, so that none of them can be taken for the start of another player's line."""

    def wrap(self, console: Console, width: int, **how: Any) -> Lines:
        """The lines of the text at a width."""
        lines = super().wrap(console, width if how.get("no_wrap") or self.no_wrap else max(1, width - _INDENT), **how)
        for line in lines[1:]:
            line.pad_left(_INDENT)
        return lines

    def first_lines(self, console: Console, width: int, most: int) -> list[Text]:
        """The first lines of the text at a width; the last of them ends in … where more would follow."""
        lines = [*self.wrap(console, width)]
        if len(lines) > most > 0:
            _end_here(lines[most - 1], width)
        return lines[:most]


def hanging(text: Text) -> HangingText:
    """A text whose further lines are indented when it is wrapped."""
    if isinstance(text, HangingText):
        return text
    line = HangingText(style=text.style)
    line.append_text(text)
    return line


def _end_here(line: Text, width: int) -> None:
    """End a line in …, after a whole word if one ends in its second half."""
    line.rstrip()
    if line.cell_len > width - 2:
        line.truncate(width - 2)
        end = line.plain.rfind(" ")
        if len(line) // 2 < end < len(line):
            line.right_crop(len(line) - end)
    line.append(" …")


_PIECE = re.compile(r"[^\s/]*/|[^\s/]+\s*|\s+")
"""A run of letters with the slash or the spaces after it."""


@dataclass(frozen=True, slots=True)
class SlashBreaks:
    """A text in as few lines as the width allows. A piece that is too long for a line is cut anywhere."""

    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = self.text.divide(_breaks(self.text.plain, options.max_width))
        for line in lines:
            line.rstrip()
            line.overflow = "fold"
            yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [cell_len(piece.rstrip()) for piece in _PIECE.findall(self.text.plain)]
        return Measurement(max(widths, default=0), self.text.cell_len).with_maximum(options.max_width)


def _breaks(text: str, width: int) -> list[int]:
    found, used = [], 0
    for piece in _PIECE.finditer(text):
        room = cell_len(piece[0].rstrip())
        if used and used + room > width:
            found.append(piece.start())
            used = 0
        used += cell_len(piece[0])
    return found


def on_a_line(text: Text) -> Text:
    """The text, cut where it does not fit one line."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


@dataclass(frozen=True, slots=True)
class ByWidth:
    """Parts that are drawn for the width there is."""

    draw: Callable[[int], Iterable[RenderableType]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.draw(options.max_width)
