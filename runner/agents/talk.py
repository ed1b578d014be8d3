"""Table talk: the lines that players say to the whole table with their answers."""

from __future__ import annotations

import json
import unicodedata
from typing import NamedTuple

from games.core import Event, seat_name

LONGEST_LINE = 200
"""Characters of a line."""

MOST_LINES = 12
"""Lines that a player is told with a question."""

_FORMAT, _NOT_TEXT = "Cf", {"Cs", "Co", "Cn"}


TALK = "talk"
"""The kind of an event that is a line of talk."""


class TalkLine(NamedTuple):
    """One line: who said it, and its text."""

    seat: int
    text: str

    @property
    def event(self) -> Event:
        """The line as an event that everyone knows of."""
        return Event(
            TALK,
            f"{seat_name(self.seat)} says: {json.dumps(self.text, ensure_ascii=False)}",
            {"seat": self.seat, "text": self.text},
        )


def clean_line(said: object) -> str:
    """What is said, as one line of at most `LONGEST_LINE` characters; "" for anything but text.

    Control characters and line breaks become blanks. Format characters, which hide text or turn its direction around, go.
    """
    if not isinstance(said, str):
        return ""
    shown = "".join(_shown(letter) for letter in said[: LONGEST_LINE * 20])
    return " ".join(shown.split())[:LONGEST_LINE].rstrip()


def _shown(letter: str) -> str:
    if letter.isprintable():
        return letter
    category = unicodedata.category(letter)
    return "" if category == _FORMAT or category in _NOT_TEXT else " "
