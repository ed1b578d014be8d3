"""Speech: a line of table talk as people read it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from runner.agents.seat import Seat, labels
from runner.match.header import HeaderRecord
from runner.screen.hanging_text import HangingText
from runner.screen.palette import seat_style
from runner.screen.safe_text import clean

_LONGEST, _LONGEST_LABEL = 200, 60
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»＂', "'"))


def speech_line(seat: int, label: str, text: str) -> Text:
    """What the player at a seat says, as one line that starts with its label."""
    return HangingText.assemble((label, f"bold {seat_style(seat)}"), ": ", (quotation(text), "italic"))


def seat_labels(seats: Sequence[Seat]) -> tuple[str, ...]:
    """What people read for each seat: `ada (P-0)`, or `P-0` for a player without a given name."""
    return tuple(clean(label, _LONGEST_LABEL) for label in labels(seats))


def logged_labels(header: HeaderRecord) -> tuple[str, ...]:
    """What people read for each seat of a log."""
    return seat_labels(tuple(map(Seat.of, header["seats"])))


def quotation(text: str) -> str:
    """A line of a player in quotation marks. It has none inside, so that it cannot seem to end and another one to begin."""
    return f"“{' '.join(clean(text, _LONGEST).split()).translate(_QUOTES)}”"
