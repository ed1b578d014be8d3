"""Log writer: appends records to a log that one process at a time may write, and waits until they are on the disk."""

import asyncio
import fcntl
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from runner.digest import Digester
from runner.errors import PausedError, UsageError, refused, unwritable
from runner.files import PRIVATE, make_private_folder, path_to_write, sync_folder
from runner.match.events import MatchEvent
from runner.match.header import SCHEMA
from runner.match.records import Record
from runner.record.bot_questions import as_logged
from runner.record.dedup import Deduplicator
from runner.record.line import FIRST, LONGEST_LINE, seal
from runner.record.log_paths import journal_of
from runner.record.reader import RECORDING, Log

TOGETHER = 0.02
"""Seconds in which writes share one sync."""


class AppendedFile:
    """A file open for appending, as `handle`, which this closes. What is synced outlasts a power cut, its name included."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path, self.handle = path, handle
        self._written = self._on_disk = 0
        self._syncing, self._is_due = asyncio.Lock(), asyncio.Event()

    def write(self, data: bytes) -> None:
        """Write data, all or none. OSError when the disk does not take it."""
        start = os.fstat(self.handle).st_size
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self.handle, rest) :]
        except OSError:
            with suppress(OSError):
                os.ftruncate(self.handle, start)
            raise
        self._written += len(data)

    async def sync(self, *, is_last: bool = True) -> None:
        """Wait, off the event loop, until all that was written is on the disk. Writes within `TOGETHER` seconds share one sync;
        it begins at once where `is_last` says that no other write is to be expected. OSError when the disk does not take it."""
        wanted, is_due = self._written, self._is_due
        if is_last:
            is_due.set()
            self._is_due = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(TOGETHER):
                await is_due.wait()
        async with self._syncing:
            if self._on_disk < wanted:
                written = self._written
                await asyncio.get_running_loop().run_in_executor(None, self._sync)
                self._on_disk = written

    def _sync(self) -> None:
        os.fsync(self.handle)
        if not self._on_disk:
            sync_folder(self.path.parent)

    def close(self) -> None:
        """Sync and close the file, once. What the disk refuses now was reported where it was written."""
        if self.handle >= 0:
            with suppress(OSError):
                if self._on_disk < self._written:
                    self._sync()
            os.close(self.handle)
            self.handle = -1


class LogWriter(AppendedFile):
    """Appends records to a file, which it holds a lock on. `schema` is the version of the format that is written."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Open a new log, or with `resume` one that exists, for `resume_after`. UsageError when it cannot be opened,
        PausedError when the disk is full."""
        self.shared = Deduplicator()
        self.schema = SCHEMA
        self._last = FIRST
        try:
            if not resume:
                make_private_folder(path.parent)
            create = 0 if resume else os.O_CREAT
            flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW
            super().__init__(path, os.open(path_to_write(path), flags | create, PRIVATE))
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
        if not stat.S_ISREG(os.fstat(self.handle).st_mode):
            raise UsageError(f"The log {self.path} cannot be written: it is not a regular file.")
        try:
            fcntl.flock(self.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"The log {self.path} is being written by another process.") from error
        if not resume and os.fstat(self.handle).st_size:
            raise UsageError(f"The log {self.path} exists already: name another file, or resume it.")
        self._is_new = not resume

    @property
    def is_empty(self) -> bool:
        return self._last == FIRST

    def resume_after(self, log: Log) -> None:
        """Continue a log in its own schema after its last sound line; cut the file there."""
        self._last, self.schema = log.last, log.header["schema"]
        self.shared = Deduplicator(set(log.shared))
        os.ftruncate(self.handle, log.size)

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
            self.write(lines)
        except OSError as error:
            raise PausedError(f"The log {self.path} cannot be written any further: {error.strerror}.") from error
        return last

    def close(self) -> None:
        """Sync and close the file, once; an empty new file is removed."""
        if self.handle >= 0 and self._is_new and self.is_empty:
            self.path.unlink(missing_ok=True)
        super().close()


class LogSink:
    """Writes every record of a match to its log."""

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer
        self._views = Digester()

    async def emit(self, event: MatchEvent) -> None:
        """Write a record; PausedError when the disk does not take it. Without a header there is no log, and no pause in it."""
        if event.record["kind"] == "pause" and self._writer.is_empty:
            return
        if event.record["kind"] == "result":  # no match that has ended has a journal: its log has every call
            journal_of(self._writer.path).unlink(missing_ok=True)
        self._append(event.record if self._writer.schema == 1 else as_logged(event, self._views))
        if event.is_durable:
            others = (question for seat, question in event.match.open.items() if seat != event.record.get("seat"))
            await self.sync(is_last=all(question.is_decided for question in others))

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
