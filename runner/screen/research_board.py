"""Research board: coloured rows and numbered columns, with the tokens of players in the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.style import Style
from rich.table import Table
from rich.text import Text

from games.core import seat_name
from runner.screen.palette import QUIET, TITLE, seat_style

EMPTY, NEUTRAL = "·", "▒▒▒"
_ROW_STYLES = {"red": "red", "blue": "blue", "yellow": "yellow", "green": "green"}
_CELL, _COMPACT_CELL = 4, 3

Rows = Mapping[str, Sequence[int | str | None]]
Signs = Mapping[tuple[str, int], str]


def row_style(row: str) -> str:
    """The colour of a row; the default colour for a row without one."""
    return _ROW_STYLES.get(row, "")


def board(name: str, rows: Rows, signs: Signs, is_compact: bool = False) -> Table:
    """The board. Signs, by row and column from 1, are shown after a token or in an empty cell.

    A compact one has no borders, and of each seat the digit.
    """
    grid = Table(box=None if is_compact else box.SQUARE, padding=0, header_style=QUIET, border_style=QUIET)
    grid.add_column(Text(name, style=TITLE), no_wrap=True)
    for column in range(1, len(next(iter(rows.values()))) + 1):
        grid.add_column(f"{column}", justify="center", width=_COMPACT_CELL if is_compact else _CELL, no_wrap=True)
    for row, holders in rows.items():
        signed = [(holder, signs.get((row, column), "")) for column, holder in enumerate(holders, 1)]
        cells = [_cell(row, holder, sign, is_compact) for holder, sign in signed]
        grid.add_row(Text(f" {row}", style=Style.parse(row_style(row)) + Style(bold=True)), *cells)
    return grid


def _cell(row: str, holder: int | str | None, sign: str, is_compact: bool) -> Text:
    if holder is None:
        return Text(sign or EMPTY, style=row_style(row))
    if isinstance(holder, str):
        return Text(NEUTRAL[:1] if is_compact else NEUTRAL, style=QUIET)
    style = Style.parse(seat_style(holder)) + Style(bold=True, reverse=bool(sign))
    return Text(f"{holder if is_compact else seat_name(holder)}{sign:1}", style=style)
