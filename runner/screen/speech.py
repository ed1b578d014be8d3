"""Speech: a line of table talk as people read it."""

from __future__ import annotations

from runner.screen.hanging_text import HangingText
from runner.screen.palette import seat_style
from runner.screen.safe_text import clean

_LONGEST = 200
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»＂', "'"))


def speech_line(seat: int, label: str, text: str) -> HangingText:
    """What the player at a seat says, as one line that starts with its label."""
    line = HangingText()
    line.append(label, f"bold {seat_style(seat)}").append(": ").append(quotation(text), "italic")
    return line


def quotation(text: str) -> str:
    """A line of a player in quotation marks. It has none inside, so that it cannot seem to end and another one to begin."""
    return f"“{' '.join(clean(text, _LONGEST).split()).translate(_QUOTES)}”"
