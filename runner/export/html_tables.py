"""Tables as drawn for a terminal, as data: lines of pieces, each with a style."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console
from rich.style import Style

from games.core import Game
from runner.screen.game_screens import drawing_of
from runner.screen.scene import Scene

WIDTHS = (80, 56)
"""How wide tables are drawn: for desks and for phones."""


class Tables:
    """Draws tables. `styles` are class names and `lines` lists of pieces (text, number of its style), each there once."""

    def __init__(self, game: Game) -> None:
        self._draw = drawing_of(game)
        self._consoles = [Console(file=StringIO(), width=width, color_system=None, highlight=False) for width in WIDTHS]
        self._styles: dict[str, int] = {}
        self._lines: dict[tuple[tuple[str, int], ...], int] = {}

    @property
    def styles(self) -> list[str]:
        """The class names of each style."""
        return list(self._styles)

    @property
    def lines(self) -> list[Any]:
        """Every line once."""
        return list(self._lines)

    def drawn(self, scene: Scene) -> list[list[int]]:
        """The numbers of the lines of a scene's table, at every width."""
        table = self._draw(scene)
        return [
            [self._line([(part.text, part.style) for part in line]) for line in console.render_lines(table, pad=False)]
            for console in self._consoles
        ]

    def _line(self, parts: list[tuple[str, Style | None]]) -> int:
        pieces: list[tuple[str, int]] = []
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
