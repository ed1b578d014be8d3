"""Standings on a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from runner.screen.palette import QUIET, TITLE
from runner.screen.safe_text import clean
from runner.standings.tables import Words, game_title, tables


def standings_screen(found: dict[str, Any]) -> RenderableType:
    """All tables and notes of standings."""
    parts: list[RenderableType] = []
    for game in found["games"]:
        parts.append(Text(clean(game_title(game)), style=TITLE))
        for words in tables(game):
            parts += ["", Text(clean(words.title), style=QUIET), _table(words)]
        parts += ["", *(Text(clean(note)) for note in game["notes"]), ""]
    return Group(*parts[:-1], *(Text(clean(note)) for note in found["notes"]))


def _table(words: Words) -> Table:
    table = Table(box=None, header_style=QUIET, pad_edge=False)
    for place, head in enumerate(words.heads):
        is_left = place < words.left
        table.add_column(clean(head), justify="left" if is_left else "right", overflow="fold")
    for row in words.rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    return table
