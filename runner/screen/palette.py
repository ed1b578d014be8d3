"""Palette: colours of seats and of states. Colour is never the only sign of a meaning."""

from rich.text import Text

from games.core import seat_name

SEATS = ("bright_cyan", "bright_magenta", "tan", "purple", "grey42", "bright_yellow", "bright_green", "bright_blue")
"""Five that are no suit's, with 16 colours too: no game with suits has more seats."""
GOOD, BAD, QUIET, TITLE, HIGHLIGHT, NOTED = "green", "bold red", "dim", "bold", "bold magenta", "yellow"
HIGHLIGHT_SIGN, NOTE_SIGN = "✦", "✎"


def seat_style(seat: int) -> str:
    """The colour of a seat."""
    return SEATS[seat % len(SEATS)]


def seat_text(seat: int) -> Text:
    """A seat's name in its colour."""
    return Text(seat_name(seat), style=f"bold {seat_style(seat)}")
