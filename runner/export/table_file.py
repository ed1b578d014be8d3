"""Table files: a table or a database that takes the place of its file once it is whole."""

from __future__ import annotations

import io
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from runner.errors import UsageError, unwritable
from runner.export.table_columns import Table
from runner.export.table_writers import CsvWriter, ParquetWriter, SqliteWriter, TableWriter
from runner.record.private_files import path_to_write
from runner.record.safe_write import check_is_no_log

Kind = Literal["csv", "parquet", "sqlite"]


@contextmanager
def table_file(path: Path, kind: Kind, table: Table | None, may_replace: bool) -> Iterator[TableWriter]:
    """A writer of a file, which appears under its name when all is written. `table`: None for all of a database.

    UsageError when the file exists and may not be replaced, is a log, or cannot be written.
    """
    path = path_to_write(path, "file")
    check_is_no_log(path)
    if path.exists() and not may_replace:
        raise UsageError(f"{path} exists already: name another file, or replace it with --force.")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} cannot be written: it is not a regular file.")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _writer(part, kind, table) as writer:
            yield writer
        part.replace(path)
    except sqlite3.Error as error:
        raise UsageError(f"{path} cannot be written: {error}.") from error
    except OSError as error:
        raise unwritable(f"The file {path}", error) from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _writer(path: Path, kind: Kind, table: Table | None) -> Iterator[TableWriter]:
    if table is None or kind == "sqlite":
        yield from _closed(SqliteWriter(path))
    elif kind == "parquet":
        yield from _closed(ParquetWriter(path, table))
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            yield from _closed(CsvWriter(file, table))


def _closed(writer: TableWriter) -> Iterator[TableWriter]:
    yield writer
    writer.close()


@contextmanager
def csv_to_stdout(table: Table) -> Iterator[TableWriter]:
    """A writer of CSV to standard output."""
    text = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=False)
    try:
        yield from _closed(CsvWriter(text, table))
    finally:
        text.detach()
