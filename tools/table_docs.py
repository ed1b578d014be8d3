"""The tables of docs/data.md: `python -m tools.table_docs` writes them from the columns."""

from __future__ import annotations

import re
from pathlib import Path

from runner.export.table_columns import TABLES, Column, Table

FILE = Path(__file__).parent.parent / "docs" / "data.md"
_PLACE = re.compile(r"(?<=<!-- columns -->\n).*(?=<!-- end of columns -->)", re.DOTALL)


def columns_text() -> str:
    """The section of every table."""
    return "\n".join(map(_section, TABLES.values()))


def _section(table: Table) -> str:
    key = ", ".join(f"`{name}`" for name in table.key)
    rows = "".join(map(_row, table.columns))
    head = f"\n### `{table.name}`\n\n{table.meaning[0].upper()}{table.meaning[1:]}. Key: {key}.\n"
    return f"{head}\n| column | type | unit | meaning |\n|---|---|---|---|\n{rows}"


def _row(column: Column) -> str:
    return f"| `{column.name}` | {column.type} | {column.unit} | {column.meaning} |\n"


def renewed(page: str) -> str:
    """The page with the tables of today."""
    return _PLACE.sub(lambda _: f"{columns_text()}\n", page)


if __name__ == "__main__":
    FILE.write_text(renewed(FILE.read_text(encoding="utf-8")), encoding="utf-8")
