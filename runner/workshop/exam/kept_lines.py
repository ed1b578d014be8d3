"""Kept lines: JSON Lines that an exam appends to and finds again; a line that was cut short counts as none."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from runner.errors import unwritable
from runner.files import PRIVATE, make_folder, open_regular
from runner.record.log_paths import LARGEST_LOG
from runner.record.writer import AppendedFile

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class KeptLines:
    """A file of JSON Lines, made when the first one is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: AppendedFile | None = None

    def write(self, record: Mapping[str, object]) -> AppendedFile:
        """Append a record. PausedError on a full disk, else UsageError."""
        try:
            if self._file is None:
                make_folder(self.path.parent)
                self._file = AppendedFile(self.path, os.open(self.path, _FLAGS, PRIVATE))
                size = os.fstat(self._file.handle).st_size
                is_cut_short = size > 0 and os.pread(self._file.handle, 1, size - 1) != b"\n"
                self._file.write(b"\n" * is_cut_short)
            self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        except OSError as error:
            raise unwritable(f"The file {self.path}", error) from error
        return self._file

    async def keep(self, record: Mapping[str, object]) -> None:
        """Append a record, and wait until it is on the disk."""
        try:
            await self.write(record).sync()
        except OSError as error:
            raise unwritable(f"The file {self.path}", error) from error

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def kept_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of a file; none without one. UnreadableFileError for what is no file."""
    if not path.exists():
        return
    with open_regular(path, "The file", LARGEST_LOG) as file:
        for line in file:
            with suppress(ValueError, RecursionError):
                if isinstance(found := json.loads(line), dict):
                    yield found
