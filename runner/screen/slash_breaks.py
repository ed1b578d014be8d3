"""Texts that break at spaces and after slashes, for model names in narrow columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

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
    """Where each line but the first begins."""
    found, used = [], 0
    for piece in _PIECE.finditer(text):
        room = cell_len(piece[0].rstrip())
        if used and used + room > width:
            found.append(piece.start())
            used = 0
        used += cell_len(piece[0])
    return found
