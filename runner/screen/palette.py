"""Palette: colours of seats and of states. Colour is never the only sign of a meaning."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from games.core import seat_name
from runner.screen.safe_text import clean

SEATS = ("bright_cyan", "bright_magenta", "tan", "purple", "grey42", "bright_yellow", "bright_green", "bright_blue")
"""Five that are no suit's, with 16 colours too: no game with suits has more seats."""
GOOD, BAD, QUIET, TITLE, HIGHLIGHT, NOTED = "green", "bold red", "dim", "bold", "bold magenta", "yellow"
HIGHLIGHT_SIGN, NOTE_SIGN = "✦", "✎"


def seat_style(seat: int) -> str:
    """The colour of a seat."""
    return SEATS[seat % len(SEATS)]


def seat_text(seat: int) -> Text:
    """A seat in its colour, `P-0`."""
    return Text(seat_name(seat), style=f"bold {seat_style(seat)}")


def name_beside(seat: int, names: Sequence[str]) -> str:
    """A player's name beside the seat; empty for one who is called by the seat."""
    return "" if names[seat] == seat_name(seat) else clean(names[seat])


def player_text(seat: int, names: Sequence[str], width: int | None = None) -> Text:
    """A player's name in the seat's colour, in as many columns as `width` says: its number stays."""
    name = clean(names[seat])
    if width is not None:
        if cell_len(name) > width:
            number = last if (last := name.rpartition(" ")[2]).isdigit() and len(last) < width - 1 else ""
            name = f"{set_cell_size(name, width - 1 - len(number)).rstrip()}…{number}"
        name = set_cell_size(name, width)
    return Text(name, style=f"bold {seat_style(seat)}")
