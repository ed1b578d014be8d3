"""Live keys: keys typed while a match is shown, read without blocking the event loop."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from runner.screen.keys import Keyboard

_MOST_KEYS = 100
"""Keys handled in a row before the event loop continues."""


class LiveKeys:
    """Calls `press` with each key between `start` and `stop`. It leaves the modes of the terminal as they are."""

    def __init__(self, press: Callable[[str], None]) -> None:
        self._press = press
        self._file: int | None = None

    def start(self) -> None:
        """Read keys, if standard input is a terminal and this process is in its foreground."""
        with suppress(OSError, ValueError):
            file = sys.stdin.fileno()
            if self._file is None and _is_ours(file):
                self._keyboard = Keyboard()
                asyncio.get_running_loop().add_reader(file, self._take)
                self._file = file

    def stop(self) -> None:
        """Stop reading."""
        if self._file is not None:
            with suppress(RuntimeError):  # the loop may be closed
                asyncio.get_running_loop().remove_reader(self._file)
            self._file = None

    def _take(self) -> None:
        for _ in range(_MOST_KEYS):
            if self._file is None or (key := self._key(self._file)) is None:
                return
            self._press(key)

    def _key(self, file: int) -> str | None:
        """The next key, if any. Stop where there are no more: reading in the background would stop the process."""
        key = self._keyboard.read(0) if _is_ours(file) else "gone"
        if key == "gone":
            self.stop()
        return None if key == "gone" else key


def _is_ours(file: int) -> bool:
    try:
        return os.isatty(file) and os.tcgetpgrp(file) == os.getpgrp()
    except OSError:
        return False
