"""Standings screen: the standings on a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from runner.screen.palette import QUIET, TITLE
from runner.screen.safe_text import clean
from runner.screen.slash_breaks import SlashBreaks
from runner.standings.document_types import StandingsData
from runner.standings.tables import game_title, tables
from runner.standings.text_table import TextTable


def standings_screen(found: StandingsData) -> RenderableType:
    """All tables and notes of standings."""
    parts: list[RenderableType] = []
    for game in found["games"]:
        parts.append(Text(clean(game_title(game)), style=TITLE))
        for table in tables(game):
            parts += ["", Text(clean(table.title), style=QUIET), drawn(table)]
        parts += ["", *(Text(clean(note)) for note in game["notes"]), ""]
    return Group(*parts[:-1], *(Text(clean(note)) for note in found["notes"]))


def drawn(table: TextTable) -> Table:
    """A table of text on a terminal."""
    found = Table(box=None, header_style=QUIET, pad_edge=False)
    for place, header in enumerate(table.headers):
        found.add_column(clean(header), justify="left" if place < table.left else "right")
    for row in table.rows:
        found.add_row(*(SlashBreaks(Text(clean(cell))) for cell in row))
    return found
