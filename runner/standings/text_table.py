"""Text table: a table of the standings as text, for terminal, Markdown and HTML."""

from __future__ import annotations

from typing import NamedTuple


class TextTable(NamedTuple):
    """A table: title, column headers, rows. The first `left` columns are left-aligned text, the others figures."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
