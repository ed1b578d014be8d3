"""Echo off: keys pressed while no input is read do not appear on the terminal."""

from __future__ import annotations

import os
import sys
import termios
from contextlib import suppress

TerminalModes = list[int | list[bytes | int]]


class EchoOff:
    """Switches the echo of keys off between `start` and `stop`. Ctrl-C still works."""

    def __init__(self) -> None:
        self._saved: TerminalModes | None = None

    def start(self) -> None:
        """Switch the echo off if standard input is a terminal and this process is in its foreground."""
        with suppress(OSError, ValueError, termios.error):
            file = sys.stdin.fileno()
            if self._saved is None and os.isatty(file) and os.tcgetpgrp(file) == os.getpgrp():
                saved = termios.tcgetattr(file)
                changed = termios.tcgetattr(file)
                changed[3] &= ~(termios.ECHO | termios.ICANON)
                changed[6][termios.VSUSP] = b"\x00"
                termios.tcsetattr(file, termios.TCSADRAIN, changed)
                self._saved = saved

    def stop(self) -> None:
        """Switch the echo on again and drop the keys pressed meanwhile."""
        if self._saved is not None:
            with suppress(OSError, ValueError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSAFLUSH, self._saved)
            self._saved = None
