"""Table files: the rows of many logs as CSV, Parquet or SQLite, some logs at a time; the decisions of a match as CSV."""

import csv
import io
import os
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from games.core import seat_name
from runner.errors import TabletopError, UsageError
from runner.export.log_rows import rows_of
from runner.export.table_columns import TABLES, DataCell, DataRow, DataTable, moment
from runner.files import make_folder, path_to_write, whole_file
from runner.record.decisions import decisions
from runner.record.log_folder import UNUSABLE, FollowWork, Unusable, none_left
from runner.record.log_paths import base_of, size_of
from runner.record.reader import Log, read_sound_part
from runner.record.writer import check_is_no_log
from runner.screen.narrator import thoughts
from runner.screen.safe_text import clean
from runner.worker_processes import in_order

Cells = tuple[DataCell, ...]
"""A row in the order of the columns."""
LogCells = dict[str, list[Cells]]
"""A log's rows by table."""
WriteRows = Callable[[str, Sequence[Cells]], object]
"""Writes rows of the table of a name."""

_WORTH_PROCESSES = 40 * 2**20
"""Bytes of logs that are worth several processes."""
_ROW_GROUP = 20_000
"""Rows of a row group of Parquet."""


def folder_cells(folder: Path, paths: Sequence[Path], tables: Sequence[str]) -> Generator[LogCells | Unusable]:
    """The rows of each log, or why it has none, in the order of the paths, read by several processes where that is worth it."""
    read = partial(_cells_of_log, base_of(folder), tables)
    return in_order(read, paths, is_worth=sum(map(_size, paths)) >= _WORTH_PROCESSES)


def write_rows(
    logs: Path, paths: Sequence[Path], writers: Mapping[str, WriteRows], follow: FollowWork
) -> tuple[dict[str, int], list[Unusable]]:
    """Write the rows of all logs, each table with its writer: how many each has, and the logs that have none. The error of
    `none_left` when that is all of them."""
    rows, unusable = dict.fromkeys(writers, 0), list[Unusable]()
    with closing(folder_cells(logs, paths, [*writers])) as found:
        for one in follow(found, len(paths)):
            if isinstance(one, Unusable):
                unusable.append(one)
                continue
            for name, cells in one.items():
                writers[name](name, cells)
                rows[name] += len(cells)
    if len(unusable) == len(paths):
        raise none_left(unusable)
    return rows, unusable


def _size(path: Path) -> int:
    with suppress(OSError, TabletopError):
        return size_of(path)
    return 0


def _cells_of_log(base: Path, tables: Sequence[str], path: Path) -> LogCells | Unusable:
    # bytes of a path that are no UTF-8 are escaped
    name = os.fsencode(path.relative_to(base).as_posix()).decode("utf-8", "backslashreplace")
    try:
        log = read_sound_part(path)
        if log.damage is not None and not log.is_torn:
            raise log.damage
        return {table: [tuple(row.values()) for row in rows] for table, rows in rows_of(log, name, tables).items()}
    except UNUSABLE as error:
        return Unusable.of(name, error)


@contextmanager
def table_file(path: Path | None, kind: str, table: str | None) -> Iterator[WriteRows]:
    """What writes into a file, which appears under its name when all is written; `path` None: CSV to standard output. `kind` is
    csv, parquet or sqlite; `table` None: all of them, in a database.

    UsageError when the file is a log, cannot be written, or needs a library that is not installed.
    """
    if path is None:
        with _csv(sys.stdout.buffer, TABLES[table or ""]) as write:
            yield write
        return
    if kind == "parquet" and find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: `pip install 'tabletop-runner[data]'` installs it.")
    path = path_to_write(path, "file")
    check_is_no_log(path)
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} cannot be written: it is not a regular file.")
    make_folder(path.parent)
    with whole_file(path, "The file") as file:
        try:
            with _sqlite(Path(file.name)) if table is None else _WRITERS[kind](file, TABLES[table]) as write:
                yield write
        except sqlite3.Error as error:
            raise UsageError(f"{path} cannot be written: {error}.") from error


# -- CSV --------------------------------------------------------------------------------------------------------------

_LONGEST = 30_000
"""Characters of a text in CSV; a spreadsheet's cell holds 32,767."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_cell(value: object) -> object:
    """A cell of CSV: truth values as in JSON; a text on a line, without controls, that no spreadsheet reads as a formula."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    text = clean(value, _LONGEST)
    return f"'{text}" if text.startswith(_FORMULA) else text


@contextmanager
def _csv(file: BinaryIO, table: DataTable) -> Iterator[WriteRows]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([column.name for column in table.columns])
        yield lambda _, rows: writer.writerows(map(csv_cell, row) for row in rows)
    finally:
        text.detach()


def csv_text(rows: Iterable[Mapping[str, object]], columns: Iterable[str]) -> str:
    """Rows as CSV with a header line."""
    out, names = io.StringIO(), list(columns)
    csv.writer(out, lineterminator="\n").writerows([names, *([csv_cell(row.get(name)) for name in names] for row in rows)])
    return out.getvalue()


MATCH_COLUMNS = (
    *("decision", "line", "round", "phase", "phase_name", "seat", "player", "how", "action", "attempts", "mistakes"),
    *("failures", "model", "provider", "prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens"),
    *("cache_write_tokens", "cost", "latency", "scores", "digest", "talk", "at"),
)
"""The columns of a match as CSV: those of the table `decisions`, and `scores`."""


def to_csv(log: Log, has_thoughts: bool = False) -> str:
    """A match as CSV, a row a decision."""
    return csv_text(_moves(log), [*MATCH_COLUMNS, *(["thoughts"] if has_thoughts else [])])


def _moves(log: Log) -> Iterator[DataRow]:
    replayed = (decision for decision in decisions(log) if decision.seat is not None)
    for row, decision in zip(rows_of(log, "", ["decisions"])["decisions"], replayed, strict=True):
        found = "\n\n".join(filter(None, map(thoughts, decision.attempts)))
        scores = " ".join(map(str, decision.state.scores))
        seat = seat_name(decision.seat or 0)
        yield row | {"seat": seat, "round": decision.before.round, "scores": scores, "thoughts": found}


# -- SQLite and Parquet -----------------------------------------------------------------------------------------------

_SQL_TYPES = {"integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}


@contextmanager
def _sqlite(path: Path) -> Iterator[WriteRows]:
    """All tables, with their keys, indexes and, in their SQL, the meaning of each column."""
    # nobody else has the file, and on some systems its lock as a file that is being written stands in the way
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?nolock=1", uri=True, isolation_level=None)) as database:
        for line in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "BEGIN", *map(_create, TABLES.values())):
            database.execute(line)
        yield lambda table, rows: database.executemany(
            f"INSERT INTO {table} VALUES ({', '.join('?' * len(TABLES[table].columns))})", rows
        )
        for table in TABLES.values():
            for number, columns in enumerate(table.indexes, 1):
                database.execute(f"CREATE INDEX {table.name}_{number} ON {table.name} ({_quoted(columns)})")
        database.execute("COMMIT")


def _create(table: DataTable) -> str:
    """The SQL that creates a table; comments say what its columns mean."""
    lines = [f'  "{column.name}" {_SQL_TYPES.get(column.type, "TEXT")}, -- {column.meaning}' for column in table.columns]
    refers = "" if table.name == "matches" else ",\n  FOREIGN KEY (log) REFERENCES matches (log)"
    key = f"  PRIMARY KEY ({_quoted(table.key)}){refers}"
    return "\n".join([f"CREATE TABLE {table.name} ( -- {table.meaning}", *lines, key, ")"])


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


@contextmanager
def _parquet(file: BinaryIO, table: DataTable) -> Iterator[WriteRows]:
    """One table, a row group at a time."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(), "time": pa.timestamp("ms", "UTC")}
    fields = [pa.field(one.name, types.get(one.type, pa.string()), metadata={"meaning": one.meaning}) for one in table.columns]
    schema, waiting = pa.schema(fields, {"tabletop.table": table.name}), list[Cells]()
    times = [column.type == "time" for column in table.columns]

    def write(_: str, rows: Sequence[Cells], most: int = _ROW_GROUP) -> None:
        waiting.extend(rows)
        if len(waiting) >= most:
            columns = zip(zip(*waiting, strict=True), times, fields, strict=True)
            arrays = [pa.array(map(moment, cells) if is_time else cells, field.type) for cells, is_time, field in columns]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
            waiting.clear()

    with ParquetWriter(file, schema, compression="zstd") as writer:
        yield write
        write(table.name, (), 1)


_WRITERS = {"csv": _csv, "parquet": _parquet}
