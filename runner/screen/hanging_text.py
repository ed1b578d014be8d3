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
