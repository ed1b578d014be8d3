"""Kept lines: JSON Lines that an exam appends to and finds again; a line that was cut short counts as none."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runner.errors import unwritable
from runner.files import PRIVATE, make_folder, open_regular
from runner.record.line import LARGEST_LOG
from runner.record.writer import AppendedFile

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class KeptLines:
    """A file of JSON Lines, made when the first one is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: AppendedFile | None = None

    def write(self, record: Mapping[str, object]) -> None:
        """Append a record. PausedError on a full disk, else UsageError."""
        try:
            self._opened().write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        except OSError as error:
            raise unwritable(f"The file {self.path}", error) from error

    async def keep(self, record: Mapping[str, object]) -> None:
        """Append a record, and wait until it is on the disk."""
        self.write(record)
        try:
            await self._opened().sync()
        except OSError as error:
            raise unwritable(f"The file {self.path}", error) from error

    def _opened(self) -> AppendedFile:
        if self._file is None:
            make_folder(self.path.parent)
            self._file = AppendedFile(self.path, os.open(self.path, _FLAGS, PRIVATE))
            size = os.fstat(self._file.handle).st_size
            if size and os.pread(self._file.handle, 1, size - 1) != b"\n":
                self._file.write(b"\n")
        return self._file

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def kept_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of a file; none without one. UnreadableFileError for what is no file."""
    if not path.exists():
        return
    with open_regular(path, "The file", LARGEST_LOG) as file:
        for line in file:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                yield found
