"""Keys of a terminal, by name."""

from __future__ import annotations

import codecs
import os
import select
import sys
import termios
import tty
from types import TracebackType
from typing import Self

_ESCAPES = {
    "[A": "up",
    "[B": "down",
    "[C": "right",
    "[D": "left",
    "[5~": "pgup",
    "[6~": "pgdn",
    "[H": "home",
    "[F": "end",
    "[1~": "home",
    "[4~": "end",
    "[Z": "backtab",
    "[3~": "delete",
    "[200~": "paste",
    "[201~": "pasted",
}
_PLAIN = {" ": "space", "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\t": "tab", "\x04": "eof"}
_FOLLOWS = 0.05
_SUSPEND = 10  # index of VSUSP in the control characters where termios does not name it


class Keyboard:
    """Reads keys one by one, without echo. A context manager that restores the terminal."""

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._decoder = codecs.getincrementaldecoder(sys.stdin.encoding)("ignore")

    def __enter__(self) -> Self:
        self._saved = termios.tcgetattr(self._file)
        tty.setcbreak(self._file)
        changed = termios.tcgetattr(self._file)
        changed[6][getattr(termios, "VSUSP", _SUSPEND)] = b"\x00"
        termios.tcsetattr(self._file, termios.TCSANOW, changed)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        termios.tcsetattr(self._file, termios.TCSADRAIN, self._saved)

    def read(self, timeout: float) -> str | None:
        """The next key: a letter, or a name such as `left`. None after the timeout, `gone` without a terminal."""
        if not self._is_ready(timeout):
            return None
        try:
            raw = os.read(self._file, 1)
        except OSError:
            raw = b""
        if not raw:
            return "gone"
        if raw == b"\x1b":
            return self._escape()
        letter = self._decoder.decode(raw)
        while not letter and self._is_ready(_FOLLOWS):
            letter = self._decoder.decode(os.read(self._file, 1))
        return _PLAIN.get(letter, letter) or None

    def has_more(self) -> bool:
        """Whether more was typed already: a terminal without bracketed paste sends pasted lines as keys."""
        return self._is_ready(0)

    def _escape(self) -> str | None:
        letters = ""
        while self._is_ready(_FOLLOWS):
            letters += os.read(self._file, 1).decode("ascii", "replace")
            if len(letters) > 1 and (letters[-1].isalpha() or letters[-1] == "~"):
                break
        return _ESCAPES.get(letters.replace("O", "[", 1)) if letters else "escape"

    def _is_ready(self, timeout: float) -> bool:
        return bool(select.select([self._file], [], [], timeout)[0])
