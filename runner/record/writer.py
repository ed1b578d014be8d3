"""Log writer: appends records to a log that one process at a time may write."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from runner.digest import Digester
from runner.errors import PausedError, UsageError, refused, unwritable
from runner.files import PRIVATE, make_private_folder, path_to_write
from runner.match.events import MatchEvent
from runner.match.header import SCHEMA
from runner.match.records import Record
from runner.record.appended_file import AppendedFile
from runner.record.bot_questions import as_logged
from runner.record.dedup import Deduplicator
from runner.record.line import FIRST, LONGEST_LINE, seal
from runner.record.reader import RECORDING, Log


class LogWriter:
    """Appends records to a file, which it holds a lock on.

    `append` hands a line to the operating system before it returns; `sync` waits until it is on the disk, as that of
    `AppendedFile` does. `schema` is the version of the format that is written.
    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Open a new log, or with `resume` one that exists, for `resume_after`. UsageError when it cannot be opened,
        PausedError when the disk is full."""
        self.path = path
        self.shared = Deduplicator()
        self.schema = SCHEMA
        self._last = FIRST
        try:
            if not resume:
                make_private_folder(path.parent)
            create = 0 if resume else os.O_CREAT
            flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW
            self._file = AppendedFile(path, os.open(path_to_write(path), flags | create, PRIVATE))
        except OSError as error:
            if resume:
                raise refused(f"The log {path} cannot be resumed: {error.strerror}.", error) from error
            raise unwritable(f"The log {path}", error) from error
        self._is_new = False
        try:
            self._lock(resume)
        except UsageError:
            self.close()
            raise

    def _lock(self, resume: bool) -> None:
        if not stat.S_ISREG(os.fstat(self._file.handle).st_mode):
            raise UsageError(f"The log {self.path} cannot be written: it is not a regular file.")
        try:
            fcntl.flock(self._file.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"The log {self.path} is being written by another process.") from error
        if not resume and os.fstat(self._file.handle).st_size:
            raise UsageError(f"The log {self.path} exists already: name another file, or resume it.")
        self._is_new = not resume

    @property
    def is_empty(self) -> bool:
        return self._last == FIRST

    def resume_after(self, log: Log) -> None:
        """Continue a log in its own schema after its last sound line; cut the file there."""
        self._last, self.schema = log.last, log.header["schema"]
        self.shared = Deduplicator(set(log.shared))
        os.ftruncate(self._file.handle, log.size)

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
        try:
            self._file.append(lines)
        except OSError as error:
            raise PausedError(f"The log {self.path} cannot be written any further: {error.strerror}.") from error
        return last

    async def sync(self, *, is_last: bool = True) -> None:
        """Wait until all lines are on the disk; `is_last`: no other line is to be expected in a moment."""
        await self._file.sync(is_last=is_last)

    def close(self) -> None:
        """Sync and close the file, once; an empty new file is removed."""
        if self._is_new and self.is_empty:
            self.path.unlink(missing_ok=True)
        self._is_new = False
        self._file.close()


class LogSink:
    """Writes every record of a match to its log."""

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer
        self._views = Digester()

    async def emit(self, event: MatchEvent) -> None:
        """Write a record. PausedError when the disk does not take it. A match whose header was not written has no log, and no
        pause is written to it."""
        if event.record["kind"] == "pause" and self._writer.is_empty:
            return
        self._append(event.record if self._writer.schema == 1 else as_logged(event, self._views))
        if event.is_durable:
            await self.sync(is_last=event.is_last)

    def _append(self, record: Record) -> None:
        self._writer.append(record)

    async def sync(self, *, is_last: bool = True) -> None:
        await self._writer.sync(is_last=is_last)


class RecordingLogSink(LogSink):
    """Also writes the header and the attempts to a recording of replies, in the order of the log."""

    def __init__(self, writer: LogWriter, recording: LogWriter) -> None:
        super().__init__(writer)
        self._recording = recording

    def _append(self, record: Record) -> None:
        super()._append(record)
        if record["kind"] == "header":
            self._recording.append_as_is({**record, "kind": RECORDING})
        elif record["kind"] == "attempt":
            self._recording.append(record)

    async def sync(self, *, is_last: bool = True) -> None:
        await super().sync(is_last=is_last)
        await self._recording.sync()
