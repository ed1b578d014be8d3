"""Line editor: the line that a human player types, key by key."""

from __future__ import annotations

from collections.abc import Collection

from rich.cells import cell_len

from runner.screen.safe_text import clean

LONGEST = 4000
"""Maximum length of a line; further input is dropped."""

_BREAK = "¶"
"""Sign for a line break in the text."""


class LineEditor:
    """Text with a cursor. `press` takes keys as `Keyboard` names them, and `break` for a line break in the text.

    Pasted line breaks do not end the line. A key of `at_once` does, where nothing is typed before it.
    """

    def __init__(self, at_once: Collection[str] = ()) -> None:
        self._at_once = at_once
        self._letters: list[str] = []
        self._at = 0
        self._is_pasting = False

    @property
    def text(self) -> str:
        """The text."""
        return "".join(self._letters)

    def press(self, key: str) -> bool:
        """Handle a key. True when the line is finished."""
        if key in ("paste", "pasted"):
            self._is_pasting = key == "paste"
        elif key == "enter" and not self._is_pasting:
            return True
        elif key in self._at_once and not self._is_pasting and not self.text.strip():
            self._letters = [key]
            return True
        elif letter := _LETTERS.get(key, clean(key) if len(key) == 1 and key >= " " else ""):
            self._insert(letter)
        elif key in _MOVES or key in _CUTS:
            self._move(key)
        return False

    def shown(self, columns: int) -> tuple[str, int]:
        """The part of the text around the cursor that fits into `columns`, and the cursor's column in it."""
        before, after = _safe(self._letters[max(0, self._at - columns) : self._at]), _safe(self._letters[self._at :][:columns])
        while cell_len(before) > max(1, columns - 1):
            before = before[1:]
        while cell_len(before + after) > max(1, columns - 1):
            after = after[:-1]
        return before + after, cell_len(before)

    def _insert(self, letter: str) -> None:
        if len(self._letters) < LONGEST:
            self._letters.insert(self._at, letter)
            self._at += 1

    def _move(self, key: str) -> None:
        size, at = len(self._letters), self._at
        if key in _MOVES:
            self._at = {"left": max(0, at - 1), "right": min(size, at + 1), "home": 0, "end": size}[_MOVES[key]]
            return
        first, last = {
            "backspace": (max(0, at - 1), at),
            "delete": (at, at + 1),
            "word": (self._start_of_word(), at),
            "line": (0, at),
            "rest": (at, size),
        }[_CUTS[key]]
        del self._letters[first:last]
        self._at = first

    def _start_of_word(self) -> int:
        return len(self.text[: self._at].rstrip().rpartition(" ")[0].rstrip()) + bool(" " in self.text[: self._at].rstrip())


_LETTERS = {"space": " ", "tab": " ", "enter": "\n", "break": "\n"}
_MOVES = {"left": "left", "right": "right", "home": "home", "end": "end", "\x01": "home", "\x05": "end"}
_CUTS = {"backspace": "backspace", "delete": "delete", "\x17": "word", "\x15": "line", "\x0b": "rest"}


def _safe(letters: list[str]) -> str:
    return "".join(_BREAK if letter == "\n" else clean(letter) for letter in letters)
