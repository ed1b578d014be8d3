"""Log writer: appends records to a log that one process at a time may write."""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from runner.errors import PausedError, UsageError, unwritable
from runner.match.header import SCHEMA
from runner.match.records import Record
from runner.record.dedup import Deduplicator
from runner.record.hash_chain import FIRST, seal
from runner.record.json_line import LONGEST_LINE
from runner.record.private_files import PRIVATE, make_private_folder, path_to_write
from runner.record.reader import Log


class LogWriter:
    """Appends records to a file, which it holds a lock on.

    `append` hands a line to the operating system before it returns, so that it survives when the process is killed.
    `sync` waits, off the event loop, until it is on the disk. `schema` is the version of the format that is written.
    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Open a new log, or with `resume` one that exists, for `resume_after`.

        UsageError when it cannot be opened, PausedError when the disk is full.
        """
        self.path = path
        self.shared = Deduplicator()
        self.schema = SCHEMA
        self._last = FIRST
        self._dirty = False
        try:
            if not resume:
                make_private_folder(path.parent)
            create = 0 if resume else os.O_CREAT
            flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW
            self._file = os.open(path_to_write(path), flags | create, PRIVATE)
        except OSError as error:
            if resume:
                raise UsageError(f"The log {path} cannot be resumed: {error.strerror}.") from error
            raise unwritable(f"The log {path}", error) from error
        self._is_open, self._is_new = True, False
        try:
            self._lock(resume)
        except UsageError:
            self.close()
            raise

    def _lock(self, resume: bool) -> None:
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise UsageError(f"The log {self.path} cannot be written: it is not a regular file.")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"The log {self.path} is being written by another process.") from error
        if not resume and os.fstat(self._file).st_size:
            raise UsageError(f"The log {self.path} exists already: name another file, or resume it.")
        self._is_new = not resume

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written."""
        return self._last == FIRST

    def resume_after(self, log: Log) -> None:
        """Continue a log in its own schema after its last sound line; cut the file there."""
        self._last, self.schema = log.last, log.header["schema"]
        phases = [record["to"] for _, record in log.of_kind("phase")]
        self.shared = Deduplicator(log.shared, phases, names_every_phase=self.schema == 1)
        os.ftruncate(self._file, log.size)

    def append(self, record: Record) -> None:
        """Write a record, after the shared values it refers to. PausedError when the disk does not take it."""
        self.append_as_is(self.shared.record(record))

    def append_as_is(self, record: Mapping[str, object]) -> None:
        """Write a record whose long values are references already."""
        new = self.shared.take_new()
        try:
            self._last = self._write_sealed((*new, record))
        except PausedError:
            self.shared.take_back(new)
            raise
        self._dirty = True

    def _write_sealed(self, records: Iterable[Mapping[str, object]]) -> str:
        """Write records, all or none; the hash of the last."""
        lines, last = b"", self._last
        for one in records:
            line, last = seal(one, last)
            if len(line) > LONGEST_LINE:
                raise PausedError(
                    f"A {one['kind']} is longer than the {LONGEST_LINE // 2**20} MiB that a line of a log may have."
                )
            lines += line
        self._write(lines)
        return last

    def _write(self, lines: bytes) -> None:
        start = os.fstat(self._file).st_size
        try:
            rest = memoryview(lines)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, start)
            raise PausedError(f"The log {self.path} cannot be written any further: {error.strerror}.") from error

    async def sync(self) -> None:
        """Wait until everything appended so far is on the disk."""
        if self._dirty:
            self._dirty = False
            await asyncio.get_running_loop().run_in_executor(None, os.fsync, self._file)

    def close(self) -> None:
        """Sync and close the file, once; an empty new file is removed."""
        if self._is_open:
            self._is_open = False
            if self._is_new and not os.fstat(self._file).st_size:
                self.path.unlink(missing_ok=True)
            with suppress(OSError):  # a disk that takes no more was reported where it was written to
                if self._dirty:
                    os.fsync(self._file)
            os.close(self._file)
