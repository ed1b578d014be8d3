"""Columns of the tables of data: name, type, unit and meaning of each, and how a value becomes its cell."""

import json
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.resources import files
from typing import Literal, NamedTuple, cast

ColumnType = Literal["text", "integer", "number", "boolean", "json", "time"]
"""`json` is JSON as text, `time` a time stamp in UTC (ISO 8601 in CSV and SQLite)."""

DataCell = str | int | float | bool | None
DataRow = dict[str, DataCell]
"""The cells of a row by column."""


class DataColumn(NamedTuple):
    """A column, its unit with its meaning. Every column but those of its table's key may be null."""

    name: str
    type: ColumnType
    meaning: str


@dataclass(frozen=True)
class DataTable:
    """A table: its columns, the columns that identify a row, and those worth an index."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[DataColumn, ...]
    indexes: Sequence[Sequence[str]]

    @cached_property
    def _converters(self) -> Sequence[tuple[str, Callable[[object], DataCell]]]:
        return [(column.name, _CONVERTERS[column.type]) for column in self.columns]

    def row(self, facts: Mapping[str, object]) -> DataRow:
        """The row of some facts: those that have the name of a column. One that its column's type does not hold is null, but
        for texts: they are what is printed."""
        return {name: None if (value := facts.get(name)) is None else cell(value) for name, cell in self._converters}


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, which ends a text in many readers, and lone surrogates, which UTF-8 does not have."""
_ENCODE = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


def moment(value: object) -> datetime | None:
    """The moment of a time stamp; None for what is none."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.astimezone(UTC) if found is not None and found.tzinfo is not None else None


_CONVERTERS: Mapping[ColumnType, Callable[[object], DataCell]] = {
    "text": _text,
    "json": lambda value: _text(_ENCODE(value)),
    "integer": lambda value: value if isinstance(value, int) and -(2**63) <= value < 2**63 else None,
    "number": lambda value: float(value) if isinstance(value, int | float) and math.isfinite(value) else None,
    "boolean": lambda value: value if isinstance(value, bool) else None,
    "time": lambda value: None if moment(value) is None else str(value),
}


def _columns(text: str, groups: Mapping[str, str]) -> Iterator[DataColumn]:
    """The columns that lines describe; `@NAME` stands for those of a group."""
    for line in text.splitlines():
        if line.startswith("@"):
            yield from _columns(groups[line[1:]], groups)
        elif line:
            name, kind, meaning = line.split(maxsplit=2)
            yield DataColumn(name, cast(ColumnType, kind), meaning)


def _tables() -> Iterator[DataTable]:
    found = tomllib.loads(files("runner.export").joinpath("tables.toml").read_text(encoding="utf-8"))
    for name, table in found["tables"].items():
        columns = tuple(_columns(table["columns"], found["groups"]))
        yield DataTable(name, table["meaning"], tuple(table["key"]), columns, [index.split() for index in table["indexes"]])


TABLES = {table.name: table for table in _tables()}
"""The tables by name, as `tables.toml` describes them."""


def described(table: DataTable) -> str:
    """The table in words: what a row is, its key, and a line for each column."""
    lines = (f"{column.name:<20}{column.type:<9}{column.meaning}" for column in table.columns)
    return "\n".join((f"{table.name}: {table.meaning}. Key: {', '.join(table.key)}.", *lines))
