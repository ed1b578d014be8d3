"""The one writer of a log."""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from runner.errors import PausedError, UsageError
from runner.record.dedup import Sharer
from runner.record.hash_chain import FIRST, Record, seal


class LogWriter:
    """Appends sealed records to a file that nobody else may write at the same time.

    `append` hands a line to the operating system before it returns, so that what a killed process has logged is there;
    `sync` waits, off the event loop, until it is on the disk.
    """

    def __init__(self, path: Path, *, goes_on: bool = False) -> None:
        """Open a new log, or with `goes_on` one that is there, to `take_up`. UsageError when it cannot be had."""
        self.path = path
        self.share = Sharer()
        self._last = FIRST
        self._dirty = False
        try:
            if not goes_on:
                path.parent.mkdir(parents=True, exist_ok=True)
            create = 0 if goes_on else os.O_CREAT
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | create, 0o644)
        except OSError as error:
            what = "taken up" if goes_on else "written"
            raise UsageError(f"The log {path} cannot be {what}: {error.strerror}.") from error
        self._is_open, self._is_new = True, False
        try:
            self._lock(goes_on)
        except UsageError:
            self.close()
            raise

    def _lock(self, goes_on: bool) -> None:
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise UsageError(f"The log {self.path} cannot be written: it is no ordinary file.")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"The log {self.path} is being written by another process.") from error
        if not goes_on and os.fstat(self._file).st_size:
            raise UsageError(f"The log {self.path} exists already: name another file, or resume it.")
        self._is_new = not goes_on

    def take_up(self, last: str, names: Iterable[str], size: int) -> None:
        """Go on after the line whose hash is `last`, with these values shared already; what stands after byte `size` goes."""
        self._last = last
        self.share = Sharer(set(names))
        os.ftruncate(self._file, size)

    def append(self, record: Record) -> None:
        """Write a record, after the shared values it refers to. PausedError when the disk does not take it."""
        lines, last = b"", self._last
        for one in (*self.share.taken(), record):
            line, last = seal(one, last)
            lines += line
        self._write(lines)
        self._last, self._dirty = last, True

    def _write(self, lines: bytes) -> None:
        start = os.fstat(self._file).st_size
        try:
            rest = memoryview(lines)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            os.ftruncate(self._file, start)
            raise PausedError(f"The log {self.path} cannot be written any further: {error.strerror}.") from error

    async def sync(self) -> None:
        """Wait until everything appended so far is on the disk."""
        if self._dirty:
            self._dirty = False
            await asyncio.get_running_loop().run_in_executor(None, os.fsync, self._file)

    def close(self) -> None:
        """Put the rest on the disk and let the file go, once; a new one that nothing was written to goes away."""
        if self._is_open:
            self._is_open = False
            if self._is_new and not os.fstat(self._file).st_size:
                self.path.unlink(missing_ok=True)
            if self._dirty:
                os.fsync(self._file)
            os.close(self._file)
