"""Speech: a line of table talk as people read it."""

from __future__ import annotations

from rich.text import Text

from games.core import seat_name
from runner.screen.hanging_text import HangingText
from runner.screen.palette import seat_style
from runner.screen.safe_text import clean

_LONGEST, _LONGEST_NAME = 200, 40
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»＂', "'"))


def speech_line(seat: int, name: str, text: str) -> Text:
    """What a player says, as one line that starts with the speaker."""
    return HangingText.assemble((speaker(seat, name), f"bold {seat_style(seat)}"), ": ", (quotation(text), "italic"))


def speaker(seat: int, name: str) -> str:
    """A player's name with its seat."""
    return f"{clean(name, _LONGEST_NAME)} ({seat_name(seat)})"


def quotation(text: str) -> str:
    """A line of a player in quotation marks. It has none inside, so that it cannot seem to end and another one to begin."""
    return f"“{' '.join(clean(text, _LONGEST).split()).translate(_QUOTES)}”"
