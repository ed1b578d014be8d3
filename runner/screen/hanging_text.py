"""Hanging text: a text whose first line stands out when it is wrapped."""

from __future__ import annotations

from rich.console import Console, JustifyMethod, OverflowMethod
from rich.containers import Lines
from rich.text import Text

_INDENT = 4


class HangingText(Text):
    """A text whose further lines are indented, so that none of them can be taken for the start of another player's line."""

    def wrap(
        self,
        console: Console,
        width: int,
        *,
        justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None,
        tab_size: int = 8,
        no_wrap: bool | None = None,
    ) -> Lines:
        """The lines of the text at a width."""
        room = width if no_wrap or self.no_wrap else max(1, width - _INDENT)
        lines = super().wrap(console, room, justify=justify, overflow=overflow, tab_size=tab_size, no_wrap=no_wrap)
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
