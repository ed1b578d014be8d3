"""Folder tables: the rows of all logs of a folder, read by several processes, a bounded number of logs at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from runner.errors import TabletopError
from runner.export.log_rows import rows_of
from runner.export.table_cells import Cells, cells_of
from runner.export.table_columns import CLAIMS, TABLES, Table
from runner.record.log_paths import base_of, size_of
from runner.record.reader import Log, read_sound_part
from runner.worker_processes import in_order

_CHUNK_LOGS, _CHUNK_BYTES = 20, 4 * 2**20
"""Logs and bytes that a process reads at a time."""
_WORTH_PROCESSES = 40 * 2**20
"""Bytes of logs that are worth several processes."""


class LogCells(NamedTuple):
    """A log's rows by table; `damage` is why it has none."""

    name: str
    tables: dict[str, list[Cells]]
    damage: str = ""


def folder_cells(folder: Path, paths: Sequence[Path], tables: Sequence[Table]) -> Iterator[LogCells]:
    """The rows of each log, in the order of the paths."""
    base = base_of(folder)
    read = partial(_cells_of_chunk, base, tuple(table.name for table in tables))
    sizes = [_size(path) for path in paths]
    chunks = list(_chunks(paths, sizes))
    found = map(read, chunks) if sum(sizes) < _WORTH_PROCESSES else in_order(read, chunks)
    yield from chain.from_iterable(found)


def _size(path: Path) -> int:
    with suppress(OSError, TabletopError):
        return size_of(path)
    return 0


def _chunks(paths: Sequence[Path], sizes: Sequence[int]) -> Iterator[list[Path]]:
    chunk, held = list[Path](), 0
    for path, size in zip(paths, sizes, strict=True):
        chunk.append(path)
        held += size
        if len(chunk) == _CHUNK_LOGS or held >= _CHUNK_BYTES:
            yield chunk
            chunk, held = [], 0
    if chunk:
        yield chunk


def _cells_of_chunk(base: Path, tables: Sequence[str], paths: Sequence[Path]) -> list[LogCells]:
    return [_cells_of_log(path, _name(path.relative_to(base)), tables) for path in paths]


def _name(path: Path) -> str:
    """A path as text; bytes that are no UTF-8 are escaped."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _cells_of_log(path: Path, name: str, tables: Sequence[str]) -> LogCells:
    try:
        log = read_sound_part(path)
        if log.damage is not None and not log.is_torn:
            raise log.damage
        return LogCells(name, cells(log, name, tables))
    except TabletopError as damage:
        return LogCells(name, {}, str(damage))


def cells(log: Log, name: str, tables: Sequence[str]) -> dict[str, list[Cells]]:
    """The rows of a log in some tables, by table."""
    rows = rows_of(log, name, CLAIMS.name in tables)
    return {table: [cells_of(TABLES[table], row) for row in rows[table]] for table in tables}
