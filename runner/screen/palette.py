"""Palette: colours of seats and of states. Colour is never the only sign of a meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from games.core import seat_name
from games.core.sentence import YOU
from runner.screen.safe_text import clean

SEATS = ("turquoise4", "orchid", "color(137)", "purple", "grey42", "dark_goldenrod", "green4", "dodger_blue2")
"""Readable on light and on dark. Five are no suit's, with 16 colours too: no game with suits has more seats."""
GOOD, BAD, QUIET, TITLE, HIGHLIGHT, NOTED = "green", "bold red", "dim", "bold", "bold magenta", "yellow"
HIGHLIGHT_SIGN, NOTE_SIGN = "✦", "✎"


def seat_style(seat: int) -> str:
    """The colour of a seat."""
    return SEATS[seat % len(SEATS)]


def seat_text(seat: int) -> Text:
    """A seat in its colour, `P-0`."""
    return Text(seat_name(seat), style=f"bold {seat_style(seat)}")


class Marks(NamedTuple):
    """What players are called where there is no room: in up to three letters, and in one. `are_names`: they are the beginnings
    of names, and the numbers at their ends; else those of the seats, `P-0`."""

    short: tuple[str, ...]
    letters: tuple[str, ...]
    are_names: bool

    @classmethod
    def of(cls, names: Sequence[str], needs_letters: bool) -> Marks:
        """Those of the names if all have one and can be told apart by them; by single letters, too, where parts need these."""
        short, letters = (tuple(_beginning(clean(name), width) for name in names) for width in (3, 1))
        seats, needed = range(len(names)), [short, *[letters] * needs_letters]
        told_apart = all(len({*map(str.casefold, marks)}) == len(names) for marks in needed)
        if told_apart and all(name_beside(seat, names) for seat in seats) and (YOU in names or YOU not in short):
            return cls(short, letters, are_names=True)
        return cls(tuple(map(seat_name, seats)), tuple(map(str, seats)), are_names=False)

    def text(self, seat: int) -> Text:
        """The mark of a seat in its colour."""
        return Text(self.short[seat], f"bold {seat_style(seat)}")


def _beginning(name: str, width: int) -> str:
    number = last if " " in name and (last := name.rpartition(" ")[2]).isdigit() and len(last) <= width else ""
    return set_cell_size(name, min(cell_len(name), width - len(number))).rstrip() + number


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
