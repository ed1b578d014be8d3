"""Folder index: the summaries of a folder's logs in an SQLite file beside them.

The file is a cache: it may be deleted at any time, two processes may use it at once, and a folder that cannot be written to
has none.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from runner.record.private_files import PRIVATE

INDEX = ".tabletop-index.sqlite"
_VERSION = 6
"""Counts up when a summary's fields or their meaning change; an index of another version is dropped."""

_BUSY_SECONDS = 10.0
_TABLE = "CREATE TABLE logs (name BLOB PRIMARY KEY, stamp TEXT NOT NULL, summary TEXT NOT NULL)"


class Entry(NamedTuple):
    """A log in the index: the stamp of the file that was read, and its summary as text."""

    stamp: str
    summary: str


def read_index(folder: Path) -> dict[str, Entry]:
    """The entries by the logs' paths within the folder; none without a readable index of this version."""
    if not _is_own(folder / INDEX):
        return {}
    with suppress(sqlite3.Error), _connected(folder) as index:
        if _is_current(index):
            rows = index.execute("SELECT name, stamp, summary FROM logs")
            return {os.fsdecode(name): Entry(stamp, summary) for name, stamp, summary in rows}
    return {}


def update_index(folder: Path, changed: Mapping[str, Entry], gone: Iterable[str]) -> None:
    """Store the entries that changed and remove those of logs that are gone."""
    try:
        os.close(os.open(folder / INDEX, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, PRIVATE))
        _update(folder, changed, gone)
    except (OSError, sqlite3.OperationalError):
        return  # the folder cannot be written to, the index is locked, or its name is that of something else
    except sqlite3.DatabaseError:  # the file is not a database
        with suppress(OSError, sqlite3.Error):
            (folder / INDEX).unlink()
            _update(folder, changed, gone)


def _update(folder: Path, changed: Mapping[str, Entry], gone: Iterable[str]) -> None:
    rows = [(os.fsencode(name), *entry) for name, entry in changed.items()]
    with _connected(folder) as index, index:
        index.execute("BEGIN IMMEDIATE")
        if not _tables(index):
            index.execute(f"PRAGMA user_version = {_VERSION}")
            index.execute(_TABLE)
        elif not _is_current(index):
            raise sqlite3.DatabaseError("the index is of another version, or somebody else's")
        index.executemany("DELETE FROM logs WHERE name = ?", [(os.fsencode(name),) for name in gone])
        index.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?, ?)", rows)


@contextmanager
def _connected(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / INDEX, timeout=_BUSY_SECONDS)) as index:
        yield index


def _is_own(path: Path) -> bool:
    """Whether a path is that of a regular file. A link could lead to the database of another program."""
    return path.is_file() and not path.is_symlink()


def _is_current(index: sqlite3.Connection) -> bool:
    """Whether the index is of this version and has its table and nothing else, such as a view that never ends."""
    version = int(index.execute("PRAGMA user_version").fetchone()[0])
    return version == _VERSION and _tables(index) == [_TABLE]


def _tables(index: sqlite3.Connection) -> list[str]:
    return [sql for (sql,) in index.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
