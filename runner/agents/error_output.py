"""Error output: what a program writes to its standard error, in a private file of bounded size."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 2**20
"""Bytes that are kept of one program and one run of a match."""

_LAST = 400
"""Bytes that an error message may quote."""

_CUT = b"\n[tabletop: the rest was left out]\n"


class ErrorOutput:
    """Appends to a file, which is made when there is something to write. Without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._left = MOST_BYTES
        self._last = b""
        self._file: int | None = None

    def write(self, data: bytes) -> None:
        """Keep output, up to the bound."""
        self._last = (self._last + data)[-_LAST:]
        if self._path is not None and self._left > 0:
            kept = data[: self._left]
            self._left -= len(kept)
            with suppress(OSError):  # a full disk is no reason to stop the match
                os.write(self._handle(self._path), kept if self._left else kept + _CUT)

    def _handle(self, path: Path) -> int:
        if self._file is None:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        return self._file

    @property
    def last_words(self) -> str:
        """The last line, and where the rest is, as the end of a sentence; empty without output."""
        lines = self._last.decode("utf-8", "replace").split("\n")
        line = next((line.strip() for line in reversed(lines) if line.strip()), "")
        where = f" ({self._path})" if self._path is not None else ""
        return f"; its standard error ends with: {line}{where}" if line else ""

    def close(self) -> None:
        """Close the file; more output opens it again."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
