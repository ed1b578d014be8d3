"""Appended file: a file that grows by whole writes, and the wait until they are on the disk."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from threading import Lock

from runner.files import sync_folder

TOGETHER = 0.02
"""Seconds in which writes share one sync."""


class AppendedFile:
    """A file that is open for appending, as `handle`, which this closes. What is written outlasts the process; what is synced
    outlasts a power cut, and so does the name of the file."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path, self.handle = path, handle
        self._written = self._taken = self._on_disk = 0
        """Bytes that were written, those that a sync has begun with, those that one has ended with."""
        self._syncing: asyncio.Task[None] | None = None
        self._waits, self._is_due = False, asyncio.Event()
        self._is_named, self._in_use = False, Lock()

    def append(self, data: bytes) -> None:
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
        if self._written > self._taken and not self._waits:
            self._waits, self._is_due = True, asyncio.Event()
            self._syncing = asyncio.create_task(self._synced())
        if self._syncing is not None:
            if is_last:
                self._is_due.set()
            await asyncio.shield(self._syncing)

    async def _synced(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(TOGETHER):
                await self._is_due.wait()
        self._waits, self._taken = False, self._written
        await asyncio.get_running_loop().run_in_executor(None, self._sync, self._taken)

    def _sync(self, written: int) -> None:
        with self._in_use:
            if self._on_disk < written:
                os.fsync(self.handle)
                self._on_disk = written
                if not self._is_named:
                    self._is_named = True
                    sync_folder(self.path.parent)

    def close(self) -> None:
        """Sync and close the file, once. What the disk refuses now was reported where it was written."""
        if self.handle >= 0:
            with suppress(OSError):
                self._sync(self._written)
            self._on_disk = self._written
            with self._in_use:
                os.close(self.handle)
            self.handle = -1
