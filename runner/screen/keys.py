"""Keys of a terminal: read by name, and what each of them does while a match is shown or replayed."""

import asyncio
import codecs
import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, Self

from rich.table import Table

from runner.screen.palette import TITLE


class Keys(NamedTuple):
    """Keys that belong together: as help shows them, what they do, and the method of a screen or of a part of it
    (`pacing.step`) that each of them calls, perhaps with an argument."""

    shown: str
    words: str
    method: str = ""
    keys: str = ""
    arguments: Sequence[int | str] = ()


SUSPEND = "\x1a"
"""Ctrl-Z."""

_VIEW = Keys("v V", "next, previous view: all, public, each seat; only if the view is all at the start", "turn", "v V", (1, -1))
_SPEED = Keys("- +", "slower, faster", "pacing.change_speed", "- + =", (-1, 1, 1))
_LOOK = Keys(", .", "the frame before, the next frame", "look", ", .", (-1, 1))
_HELP = Keys("?", "show or hide this help", "switch_help", "? h")

LIVE = (
    Keys("space", "pause, continue; no seat is asked while it is paused", "pacing.pause", "space"),
    Keys("→", "the next event now; while it is paused, that event alone", "step", "right"),
    Keys("⏎", "now all that the last decision has brought", "skip", "enter"),
    _LOOK,
    Keys("↑ ↓", "scroll the story, PgUp and PgDn faster; the match goes on", "scroll_by", "up down pgup pgdn", (-1, 1, -8, 8)),
    Keys("End", "back to what happens now; then to the end, without pauses, or to your next question", "go_to_end", "end"),
    _SPEED,
    _VIEW,
    Keys("t", "show or hide what players think", "switch_thoughts", "t"),
    _HELP,
    Keys("Ctrl-Z", "leave the terminal to the shell; `fg` comes back", "suspend", SUSPEND),
    Keys("Ctrl-C", "stop; a match that is played can be resumed", "refuse_to_quit", "q escape"),
)
"""Keys while a match is played."""

_KINDS = "x p c s X P C S"
REPLAY = (
    Keys("→", "next decision", "step", "right", (1,)),
    Keys("←", "previous decision", "step", "left backspace", (-1, -1)),
    _LOOK,
    Keys("↓ ↑", "next, previous round or turn", "go_to_round", "down up", (1, -1)),
    Keys("number ⏎", "go to that decision", "begin_typing", "0 1 2 3 4 5 6 7 8 9", "0123456789"),
    Keys("g G", "first, last decision", "go", "g home G end", (0, 0, sys.maxsize, sys.maxsize)),
    Keys("x p c s", "next invalid answer, penalty, challenge, score; X P C S: previous", "seek_kind", _KINDS, _KINDS.split()),
    Keys("⏎", "show question, messages, reply, thoughts, cost", "open_panel", "enter", ("texts",)),
    Keys("t", "show what the player thinks, in full", "open_panel", "t T", ("thoughts", "thoughts")),
    Keys("PgUp PgDn j k", "scroll", "scroll_by", "pgup pgdn j k", (-10, 10, 1, -1)),
    _VIEW,
    Keys("space, a", "start, stop automatic play", "switch_play", "space a"),
    _SPEED._replace(method="change_speed"),
    Keys("n N", "next, previous highlight (✦); during a search its matches", "search_or_highlight", "n N", (1, -1)),
    Keys("/", "search all texts; Esc instead of a text ends the search", "begin_typing", "/", "/"),
    Keys("m M", "next, previous marked decision of a review", "go_to_mark", "m M", (1, -1)),
    _HELP,
    Keys("q, Esc", "quit", "quit", "q escape eof gone", ("", "", "", "gone")),
)
"""Keys while a match is replayed."""

TWEAK = (
    Keys("n p", "another decision", "show_decision", "n p", (1, -1)),
    Keys("⏎", "ask more", "ask_more", "enter"),
    Keys("m", "whole matches", "tell_matches", "m"),
    Keys("u", "take back", "go_back", "u"),
    Keys("q", "quit", "quit", "q escape"),
)
"""Keys while a prompt pack is edited."""

HELP, UNDO, PASS, SAY, YES, NO = "?", "u", "w", "/", ("y",), ("u", "n")
RESERVED = "lruwq"
"""Letters that are no choice's, because they are commands in every menu."""
DIALOG = (
    Keys("?", "show this help", "print_help", "?"),
    Keys("l", "look: all choices with their whole effects, and everything since your last decision", "look", "l"),
    Keys("r", "show the rules", "turn_rules", "r"),
    Keys("u", "undo the last step"),
    Keys("q", "pause the match, like Ctrl-D and Ctrl-C; `tabletop resume` continues it", "leave", "q"),
)
"""Keys of a person at the table. Those without a method belong to the step that is asked for."""
PASSING = (Keys("w", "pass now, and on every claim and action of others until it is your turn or you are the target"),)
TALKING = (Keys("/words", "say words to the whole table with your decision; the last ones count"),)
CHOOSING = (
    Keys("letter", "choose: a letter keeps its meaning from turn to turn; a moment later `u` still takes the choice back"),
    Keys("3", "choose by number: up to 9 choices need no Enter; the start of a name works too, with Enter"),
    Keys("3 1", "choose two steps at once; a choice of one step counts at once, one of several steps is confirmed"),
    Keys("y, Enter", "confirm; n and u undo. Enter in a menu shows the choices again"),
)
WRITING = (
    Keys("words", "your text; Enter ends it, y or a second Enter confirms it, n or u undoes it"),
    Keys("", "pasted line breaks are kept if the rules allow them, else they become blanks"),
    Keys("words\\", "a backslash at the end: continue on the next line"),
    Keys(" q", "a space before a single letter or a /: text, not a command"),
)

AFTER = (
    Keys("r", "review", "review", "r"),
    Keys("p", "replay", "replay", "p"),
    Keys("f", "fork: make that decision again", "retry", "f"),
    Keys("a", "again, with new cards", "begin_again", "a"),
    Keys("w", "write a page", "write_page", "w"),
)
"""Keys of people after their match."""


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
    """Stop this process and what it started, as Ctrl-Z does elsewhere, with the terminal as it was, until the shell continues
    it."""
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
