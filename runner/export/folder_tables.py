"""Folder tables: the rows of all logs of a folder, read by several processes, a bounded number of logs at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from runner.errors import TabletopError
from runner.export.log_rows import rows_of
from runner.export.table_cells import Cells, cells_of
from runner.export.table_columns import TABLES, DataTable
from runner.record.log_paths import base_of, size_of
from runner.record.reader import read_sound_part
from runner.record.unusable import UNUSABLE, Unusable
from runner.worker_processes import in_order

_WORTH_PROCESSES = 40 * 2**20
"""Bytes of logs that are worth several processes."""


class LogCells(NamedTuple):
    """A log's rows by table; `unusable` is why it has none."""

    tables: dict[str, list[Cells]]
    unusable: Unusable | None = None


def folder_cells(folder: Path, paths: Sequence[Path], tables: Sequence[DataTable]) -> Iterator[LogCells]:
    """The rows of each log, in the order of the paths."""
    read = partial(_cells_of_log, base_of(folder), tuple(table.name for table in tables))
    yield from map(read, paths) if sum(map(_size, paths)) < _WORTH_PROCESSES else in_order(read, paths)


def _size(path: Path) -> int:
    with suppress(OSError, TabletopError):
        return size_of(path)
    return 0


def _cells_of_log(base: Path, tables: Sequence[str], path: Path) -> LogCells:
    # bytes of a path that are no UTF-8 are escaped
    name = os.fsencode(path.relative_to(base).as_posix()).decode("utf-8", "backslashreplace")
    try:
        log = read_sound_part(path)
        if log.damage is not None and not log.is_torn:
            raise log.damage
        rows = rows_of(log, name, tables)
        return LogCells({table: [cells_of(TABLES[table], row) for row in rows[table]] for table in tables})
    except UNUSABLE as error:
        return LogCells({}, Unusable.of(name, error))
