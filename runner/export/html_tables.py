"""HTML tables: terminal tables as lines of text pieces, each with a style."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.style import Style

from games.core import Game
from runner.screen.game_screens import screen_of
from runner.screen.perspective import VisibleState

Piece = tuple[str, int]
"""A text and the number of its style."""

WIDTHS = (80, 56)
"""Widths of the tables in columns: for desktops and for phones."""


class Tables:
    """Draws tables. Each style (class names) and each line (pieces of text with a style number) is stored once."""

    def __init__(self, game: Game) -> None:
        self._draw = screen_of(game)
        self._consoles = [Console(file=StringIO(), width=width, color_system=None, highlight=False) for width in WIDTHS]
        self._styles: dict[str, int] = {}
        self._lines: dict[tuple[Piece, ...], int] = {}

    @property
    def styles(self) -> list[str]:
        """The styles as class names."""
        return list(self._styles)

    @property
    def lines(self) -> list[tuple[Piece, ...]]:
        """The lines."""
        return list(self._lines)

    def drawn(self, seen: VisibleState) -> list[list[int]]:
        """The line numbers of a state's table, for each width."""
        table = self._draw(seen)
        return [
            [self._line([(part.text, part.style) for part in line]) for line in console.render_lines(table, pad=False)]
            for console in self._consoles
        ]

    def _line(self, parts: list[tuple[str, Style | None]]) -> int:
        pieces: list[Piece] = []
        for text, style in parts:
            number = self._styles.setdefault(_classes(style), len(self._styles))
            if pieces and pieces[-1][1] == number:
                pieces[-1] = (pieces[-1][0] + text, number)
            else:
                pieces.append((text, number))
        return self._lines.setdefault(tuple(pieces), len(self._lines))


def _classes(style: Style | None) -> str:
    if style is None:
        return ""
    names = [name for name in ("bold", "dim", "italic") if getattr(style, name)]
    return " ".join(names + ([f"c-{style.color.name}"] if style.color and style.color.name.replace("_", "").isalnum() else []))
