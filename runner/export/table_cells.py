"""Table cells: values of a row as the types of their columns, safe for every format."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache

from runner.export.table_columns import TABLES, DataTable, Type
from runner.screen.safe_text import clean

Cell = str | int | float | bool | None
Cells = tuple[Cell, ...]
"""The values of a row in the order of the columns."""

_LONGEST = 30_000
"""Characters of a text in CSV; a spreadsheet's cell holds 32,767."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, which ends a text in many readers, and lone surrogates, which UTF-8 does not have."""


def cells_of(table: DataTable, row: Mapping[str, object]) -> Cells:
    """The cells of a row. A value that its column's type does not hold is null, but for texts: they are what is printed."""
    places, cells = _places(table.name), [_EMPTY] * len(table.columns)
    for name, value in row.items():
        if value is not None and name in places:
            place, to = places[name]
            cells[place] = to(value)
    return tuple(cells)


_EMPTY: Cell = None


@cache
def _places(table: str) -> Mapping[str, tuple[int, Callable[[object], Cell]]]:
    """The place and the converter of each column, by its name."""
    return {column.name: (place, _CONVERTERS[column.type]) for place, column in enumerate(TABLES[table].columns)}


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and -(2**63) <= value < 2**63 else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _time(value: object) -> str | None:
    """A time as the log has it; null for what is none."""
    return None if moment(value) is None else str(value)


def moment(value: object) -> datetime | None:
    """The moment of a time stamp; None for what is none."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.astimezone(UTC) if found is not None and found.tzinfo is not None else None


_CONVERTERS: Mapping[Type, Callable[[object], Cell]] = {
    "text": _text,
    "json": _text,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "time": _time,
}


def csv_cell(value: Cell) -> Cell:
    """A cell of CSV: truth values as JSON has them; a text as `csv_text` has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return csv_text(value, _LONGEST) if isinstance(value, str) else value


def csv_text(value: object, longest: int = 10_000) -> str:
    """A text on one line, without control characters, that a spreadsheet does not read as a formula."""
    text = clean(value, longest)
    return f"'{text}" if text.startswith(_FORMULA) else text
