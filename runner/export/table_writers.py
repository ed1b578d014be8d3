"""Table writers: tables of data as CSV, Parquet or one SQLite database, a batch of rows at a time."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO

from runner.errors import UsageError
from runner.export.table_cells import Cells, csv_cell, moment
from runner.export.table_columns import TABLES, Column, Table, Type

if TYPE_CHECKING:
    import pyarrow

_ROW_GROUP = 20_000
"""Rows of a row group of Parquet."""


class TableWriter(Protocol):
    """Writes rows of tables."""

    def write(self, table: Table, rows: Sequence[Cells]) -> None:
        """Write rows."""

    def close(self) -> None:
        """Write what is left, and close the file."""


class CsvWriter:
    """Writes one table as CSV with a header line."""

    def __init__(self, file: TextIO, table: Table) -> None:
        self._writer = csv.writer(file, lineterminator="\n")
        self._writer.writerow([column.name for column in table.columns])
        self._file = file

    def write(self, table: Table, rows: Sequence[Cells]) -> None:
        """Write rows."""
        self._writer.writerows([csv_cell(value) for value in row] for row in rows)

    def close(self) -> None:
        """Flush the file, which its opener closes."""
        self._file.flush()


class SqliteWriter:
    """Writes tables into a new SQLite database, with their keys, indexes and, in their SQL, the meaning of each column."""

    def __init__(self, path: Path, tables: Iterable[Table] = tuple(TABLES.values())) -> None:
        self._tables = tuple(tables)
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("BEGIN")
        for table in self._tables:
            self._database.execute(_create(table))

    def write(self, table: Table, rows: Sequence[Cells]) -> None:
        """Write rows."""
        marks = ", ".join("?" * len(table.columns))
        self._database.executemany(f"INSERT INTO {table.name} VALUES ({marks})", rows)

    def close(self) -> None:
        """Write the indexes, and close the database."""
        with closing(self._database) as database:
            for table in self._tables:
                for number, columns in enumerate(table.indexes, 1):
                    named = ", ".join(f'"{name}"' for name in columns)
                    database.execute(f"CREATE INDEX {table.name}_{number} ON {table.name} ({named})")
            database.execute("COMMIT")


_SQL_TYPES: Mapping[Type, str] = {"integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}


def _create(table: Table) -> str:
    """The SQL that creates a table; comments say what its columns mean."""
    lines = [f'  "{column.name}" {_SQL_TYPES.get(column.type, "TEXT")}, -- {column.text}' for column in table.columns]
    key = ", ".join(f'"{name}"' for name in table.key)
    refers = "" if table.name == "matches" else ",\n  FOREIGN KEY (log) REFERENCES matches (log)"
    return f"CREATE TABLE {table.name} ( -- {table.meaning}\n" + "\n".join(lines) + f"\n  PRIMARY KEY ({key}){refers}\n)"


class ParquetWriter:
    """Writes one table as Parquet, a row group at a time. UsageError where pyarrow is not installed."""

    def __init__(self, path: Path, table: Table) -> None:
        _require_pyarrow()
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter as Writer

        self._table, self._waiting = table, list[Cells]()
        self._schema = pa.schema([_field(column) for column in table.columns], {"tabletop.table": table.name})
        self._writer = Writer(path, self._schema, compression="zstd")

    def write(self, table: Table, rows: Sequence[Cells]) -> None:
        """Write rows, once there are enough for a row group."""
        self._waiting += rows
        if len(self._waiting) >= _ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        columns = zip(*self._waiting, strict=True)
        arrays = [_array(field, values) for field, values in zip(self._schema, columns, strict=True)]
        self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))
        self._waiting = []

    def close(self) -> None:
        """Write the last row group, and close the file."""
        if self._waiting:
            self._flush()
        self._writer.close()


def _require_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: `pip install 'tabletop-runner[data]'` installs it.")


def _field(column: Column) -> pyarrow.Field:
    import pyarrow as pa

    types: Mapping[Type, Callable[[], pyarrow.DataType]] = {
        "integer": pa.int64,
        "number": pa.float64,
        "boolean": pa.bool_,
        "time": lambda: pa.timestamp("ms", "UTC"),
    }
    return pa.field(column.name, types.get(column.type, pa.string)(), metadata={"meaning": column.text})


def _array(field: pyarrow.Field, values: Sequence[object]) -> pyarrow.Array:
    import pyarrow as pa

    is_time = pa.types.is_timestamp(field.type)
    return pa.array([moment(value) for value in values] if is_time else values, field.type)
