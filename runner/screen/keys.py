"""Keys of a terminal: read by name, and what each of them does while a match is shown or replayed."""

import asyncio
import codecs
import json
import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib.resources import files
from operator import attrgetter
from typing import Any, NamedTuple, Self

from rich.table import Table

from runner.screen.palette import TITLE


class Keys(NamedTuple):
    """Keys that belong together, as `keys.json` has them: as help shows them, what they do, and the method of a screen that
    each of them calls, perhaps with an argument. Those without a method belong to the step that is asked for."""

    shown: str
    words: str
    method: str = ""
    keys: str = ""
    arguments: Sequence[int | str] = ()


_DATA = json.loads(files("runner.screen").joinpath("keys.json").read_text(encoding="utf-8"))


@cache
def keys_of(screen: str) -> tuple[Keys, ...]:
    """The keys of a screen in the order of its help: `live` and `replay` share some of them."""
    rows = (dict(row) for row in _DATA["keys"])
    return tuple(Keys(**row) for row in rows if screen in row.pop("screens").split())


SUSPEND = "\x1a"
"""Ctrl-Z."""
HELP, UNDO, PASS, SAY, YES, NO = "?", "u", "w", "/", ("y",), ("u", "n")
RESERVED = "lruwq"
"""Letters that are no choice's, because they are commands in every menu."""
LIVE, REPLAY, DIALOG = map(keys_of, ("live", "replay", "dialog"))


def meaning(screen: object, keys: Iterable[Keys], key: str) -> Callable[[], Any] | None:
    """What a key does on a screen; None for a key without a meaning there."""
    for one in keys:
        if key in (names := one.keys.split()):
            return partial(attrgetter(one.method)(screen), *([one.arguments[names.index(key)]] if one.arguments else []))
    return None


def press(screen: object, keys: Iterable[Keys], key: str) -> None:
    """Do what a key does on a screen."""
    if (act := meaning(screen, keys, key)) is not None:
        act()


SIGNS = "▶ to move, ⠋ thinks, ✓ answered, ✗ invalid answer, ✦ highlight, ↻ retry, † out"


def help_on(keys: Iterable[Keys]) -> Table:
    """The help of a screen with these keys."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style=TITLE)
    table.add_column()
    for one in keys:
        table.add_row(one.shown, one.words)
    table.add_row("Signs", SIGNS)
    return table


# -- the terminal ----------------------------------------------------------------------------------------------------

_ESCAPES: dict[str, str] = _DATA["escapes"]
_PLAIN = {" ": "space", "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\t": "tab", "\x04": "eof"}
_FOLLOWS = 0.05
_SUSPEND = 10  # index of VSUSP in the control characters where termios does not name it
_MOST_KEYS = 100
"""Keys handled in a row before the event loop continues."""

TerminalModes = list[int | list[bytes | int]]


def _switch_echo_off(file: int) -> TerminalModes:
    """Have keys come one by one, without echo and without suspending the process; the modes before. Ctrl-C still works."""
    saved, changed = termios.tcgetattr(file), termios.tcgetattr(file)
    changed[3] &= ~(termios.ECHO | termios.ICANON)
    letters = {termios.VMIN: 1, termios.VTIME: 0, getattr(termios, "VSUSP", _SUSPEND): b"\x00"}
    for place, letter in letters.items():
        changed[6][place] = letter
    termios.tcsetattr(file, termios.TCSADRAIN, changed)
    return saved


def _is_ours(file: int) -> bool:
    """Whether a file is a terminal, and this process is in its foreground."""
    try:
        return os.isatty(file) and os.tcgetpgrp(file) == os.getpgrp()
    except OSError:
        return False


class Keyboard:
    """Reads keys one by one, without echo. A context manager that restores the terminal and drops the keys not read."""

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._decoder = codecs.getincrementaldecoder(sys.stdin.encoding)("ignore")

    def __enter__(self) -> Self:
        self._saved = _switch_echo_off(self._file)
        return self

    def __exit__(self, *_: object) -> None:
        termios.tcsetattr(self._file, termios.TCSAFLUSH, self._saved)

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


def suspend(leave: Callable[[], object], come_back: Callable[[], object]) -> None:
    """Stop this process and what it started, as Ctrl-Z does, with the terminal as it was, until the shell continues it."""
    leave()
    os.kill(0, signal.SIGTSTP)
    come_back()


class LiveKeys:
    """Calls `press` with each key between `start` and `stop`; meanwhile none appears on the terminal."""

    def __init__(self, press: Callable[[str], None]) -> None:
        self._press = press
        self._keyboard: Keyboard | None = None

    @property
    def are_read(self) -> bool:
        """Whether somebody can press keys."""
        return self._keyboard is not None

    def start(self) -> None:
        """Read keys, if standard input is a terminal and this process is in its foreground."""
        with suppress(OSError, ValueError, termios.error):
            if self._keyboard is None and _is_ours(sys.stdin.fileno()):
                self._keyboard = Keyboard().__enter__()
                asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._take, self._keyboard)

    def stop(self) -> None:
        """Stop reading, and restore the terminal."""
        if self._keyboard is not None:
            self._stop_reading()
            with suppress(OSError, ValueError, termios.error):
                self._keyboard.__exit__()
            self._keyboard = None

    def _stop_reading(self) -> None:
        with suppress(RuntimeError):  # the loop may be closed
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())

    def _take(self, keyboard: Keyboard) -> None:
        """Handle the keys that were pressed. Stop where there are no more: reading in the background would stop the process."""
        for _ in range(_MOST_KEYS):
            if self._keyboard is not keyboard:
                return
            key = keyboard.read(0) if _is_ours(sys.stdin.fileno()) else "gone"
            if key == "gone":
                self._stop_reading()
            if key in (None, "gone"):
                return
            self._press(key)
