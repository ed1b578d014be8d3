"""Table files: tables of data as CSV, Parquet or one SQLite database, written a batch of rows at a time."""

from __future__ import annotations

import csv
import io
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Literal

from runner.errors import UsageError
from runner.export.table_cells import Cells, csv_cell, moment
from runner.export.table_columns import TABLES, DataTable
from runner.files import make_folder, path_to_write, whole_file
from runner.record.safe_write import check_is_no_log

Kind = Literal["csv", "parquet", "sqlite"]
Write = Callable[[DataTable, Sequence[Cells]], object]
"""Writes rows of a table."""

_ROW_GROUP = 20_000
"""Rows of a row group of Parquet."""


@contextmanager
def table_file(path: Path, kind: Kind, table: DataTable | None) -> Iterator[Write]:
    """What writes into a file, which appears under its name when all is written. `table`: None for all of a database.

    UsageError when the file is a log, or cannot be written.
    """
    path = path_to_write(path, "file")
    check_is_no_log(path)
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} cannot be written: it is not a regular file.")
    make_folder(path.parent)
    with whole_file(path, "The file") as file:
        try:
            with _rows_in(file, kind, table) as write:
                yield write
        except sqlite3.Error as error:
            raise UsageError(f"{path} cannot be written: {error}.") from error


def _rows_in(file: BinaryIO, kind: Kind, table: DataTable | None) -> AbstractContextManager[Write]:
    if table is None:
        return _sqlite(Path(file.name))
    return _parquet(file, table) if kind == "parquet" else _csv(file, table)


def csv_to_stdout(table: DataTable) -> AbstractContextManager[Write]:
    """What writes CSV to standard output."""
    return _csv(sys.stdout.buffer, table)


@contextmanager
def _csv(file: BinaryIO, table: DataTable) -> Iterator[Write]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([column.name for column in table.columns])
        yield lambda _, rows: writer.writerows([csv_cell(value) for value in row] for row in rows)
    finally:
        text.detach()


_SQL_TYPES = {"integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}


@contextmanager
def _sqlite(path: Path) -> Iterator[Write]:
    """All tables, with their keys, indexes and, in their SQL, the meaning of each column."""
    # nobody else has the file, and on some systems its lock as a file that is being written stands in the way
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?nolock=1", uri=True, isolation_level=None)) as database:
        for line in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "BEGIN", *map(_create, TABLES.values())):
            database.execute(line)
        yield lambda table, rows: database.executemany(
            f"INSERT INTO {table.name} VALUES ({', '.join('?' * len(table.columns))})", rows
        )
        for table in TABLES.values():
            for number, columns in enumerate(table.indexes, 1):
                database.execute(f"CREATE INDEX {table.name}_{number} ON {table.name} ({_quoted(columns)})")
        database.execute("COMMIT")


def _create(table: DataTable) -> str:
    """The SQL that creates a table; comments say what its columns mean."""
    lines = [f'  "{column.name}" {_SQL_TYPES.get(column.type, "TEXT")}, -- {column.text}' for column in table.columns]
    refers = "" if table.name == "matches" else ",\n  FOREIGN KEY (log) REFERENCES matches (log)"
    key = f"  PRIMARY KEY ({_quoted(table.key)}){refers}"
    return "\n".join([f"CREATE TABLE {table.name} ( -- {table.meaning}", *lines, key, ")"])


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


@contextmanager
def _parquet(file: BinaryIO, table: DataTable) -> Iterator[Write]:
    """One table, a row group at a time. UsageError where pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: `pip install 'tabletop-runner[data]'` installs it.")
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(), "time": pa.timestamp("ms", "UTC")}
    fields = [
        pa.field(column.name, types.get(column.type, pa.string()), metadata={"meaning": column.text})
        for column in table.columns
    ]
    schema, waiting = pa.schema(fields, {"tabletop.table": table.name}), list[Cells]()
    writer = ParquetWriter(file, schema, compression="zstd")

    def flush() -> None:
        columns = zip(schema, zip(*waiting, strict=True), strict=True)
        arrays = [
            pa.array([moment(value) for value in values] if pa.types.is_timestamp(field.type) else values, field.type)
            for field, values in columns
        ]
        writer.write_batch(pa.record_batch(arrays, schema=schema))
        waiting.clear()

    def write(_: DataTable, rows: Sequence[Cells]) -> None:
        waiting.extend(rows)
        if len(waiting) >= _ROW_GROUP:
            flush()

    yield write
    if waiting:
        flush()
    writer.close()
