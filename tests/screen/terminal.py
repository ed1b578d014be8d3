"""The command in a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pyte

from tests.cli.command import environment, is_for_python
from tests.patience import PATIENCE
from tools.warm_processes import WarmProcess

_PRESSED_AGAIN = 10.0
"""Seconds after which Ctrl-C is pressed again."""


class Terminal:
    """The command in a terminal of a given size: `screen` is what it shows, `raw` all it was sent. `script`: of the shell that
    starts the command (`"$@"`), which alone can stop and continue it."""

    def __init__(
        self, *words: str, folder: Path | None = None, width: int = 100, height: int = 30, script: str = "", **env: str
    ) -> None:
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self.screen)
        self.raw, self._typed = b"", ""
        variables = environment(**{"TERM": "xterm-256color", **env})
        self._file, terminal = os.openpty()
        self._set_size(width, height)
        self.modes_before = self.modes()
        here = folder or Path()
        if script or is_for_python(env):
            shell = ["/bin/bash", "-c", script, "bash"] if script else []
            command = [*shell, sys.executable, "-m", "runner", *words]
            login = partial(os.login_tty, terminal)
            self._process: subprocess.Popen[bytes] | WarmProcess
            self._process = subprocess.Popen(command, cwd=here, env=variables, preexec_fn=login, pass_fds=[terminal])
        else:
            self._process = WarmProcess(words, here, variables, terminal)
        os.close(terminal)
        self.pid = self._process.pid

    def type(self, keys: str) -> None:
        self._typed = keys
        os.write(self._file, keys.encode())

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self._file)

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        self._set_size(width, height)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def wait_for(self, words: str) -> None:
        self.wait_until(lambda: words in self.text)

    def wait_until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, self.text
            assert self._pump() or holds(), self.text

    def ended(self) -> int:
        """Everything it still says, and its exit status. Ctrl-C is pressed again after some seconds: the kernel drops one that
        comes while the program flushes its input."""
        began = pressed = time.monotonic()
        while self._pump():
            assert time.monotonic() < began + PATIENCE, self.text
            if self._typed == "\x03" and time.monotonic() > pressed + _PRESSED_AGAIN:
                pressed = time.monotonic()
                with suppress(OSError):
                    os.write(self._file, self._typed.encode())
        return self._process.wait()

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def _pump(self) -> bool:
        if not select.select([self._file], [], [], 0.2)[0]:
            return True
        try:
            data = os.read(self._file, 1 << 16)
        except OSError:
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)
