"""Keys that are pressed while nobody reads them."""

from __future__ import annotations

import os
import sys
import termios
from contextlib import suppress
from typing import Any


class Hushed:
    """Keeps keys from being shown on the terminal between `begin` and `end`, and lets Ctrl-C through."""

    def __init__(self) -> None:
        self._saved: list[Any] | None = None

    def begin(self) -> None:
        """Stop showing keys, if there is a terminal to press them at and this process is not in its background."""
        with suppress(OSError, ValueError, termios.error):
            file = sys.stdin.fileno()
            if self._saved is None and os.isatty(file) and os.tcgetpgrp(file) == os.getpgrp():
                saved = termios.tcgetattr(file)
                changed = termios.tcgetattr(file)
                changed[3] &= ~(termios.ECHO | termios.ICANON)
                changed[6][termios.VSUSP] = b"\x00"
                termios.tcsetattr(file, termios.TCSADRAIN, changed)
                self._saved = saved

    def end(self) -> None:
        """Show keys again, and forget those that were pressed meanwhile: nobody meant them for what comes next."""
        if self._saved is not None:
            with suppress(OSError, ValueError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSAFLUSH, self._saved)
            self._saved = None
