"""Card locations: one line per seat, one column per card that every seat has once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from rich.style import Style
from rich.text import Text

from runner.screen.palette import QUIET

_LETTERS = 3


class CardLocation(Enum):
    """Location of a card: a sign for narrow columns, a word for wide ones, a text style."""

    HAND = ("h", "hand", "")
    HIDDEN = ("▒", "hidden", "italic")
    REVEALED = ("■", "revealed", "bold")
    OUT = ("×", "out", QUIET)
    REMOVED = ("–", "removed", QUIET)
    UNKNOWN = ("·", "·", QUIET)

    def __init__(self, sign: str, word: str, setting: str) -> None:
        self.sign = sign
        self.word = word
        self.setting = setting


WORD = max(len(one.word) for one in CardLocation)
LEGEND = Text(" ".join(f"{one.sign} {one.word}" for one in CardLocation).removesuffix("·") + "not known", style=QUIET)
"""Legend of the signs."""


def column_widths(names: Sequence[str], room: int) -> list[int]:
    """Widths for whole names and words if they fit, else for words, else for three letters and signs."""
    for widths in ([max(len(name), WORD) for name in names], [WORD] * len(names)):
        if sum(widths) + len(names) - 1 <= room:
            return widths
    return [_LETTERS] * len(names)


def heading(names: Sequence[str], widths: Sequence[int], short: Mapping[str, str]) -> Text:
    """The names of the cards above their columns, shortened to fit."""
    fitting = (name if len(name) <= width else short.get(name, name)[:width] for name, width in zip(names, widths, strict=True))
    return _in_columns((Text(name, style=QUIET) for name in fitting), widths)


def location_line(places: Sequence[CardLocation], widths: Sequence[int], style: str) -> Text:
    """The location of each card of a seat, in the seat's colour unless it is out of play."""
    return _in_columns((_cell(*one, style) for one in zip(places, widths, strict=True)), widths)


def _cell(place: CardLocation, width: int, style: str) -> Text:
    colour = Style() if place.setting == QUIET else Style.parse(style)
    return Text(place.word if width >= WORD else f" {place.sign}", style=colour + Style.parse(place.setting))


def _in_columns(cells: Iterable[Text], widths: Sequence[int]) -> Text:
    line = Text()
    for cell, width in zip(cells, widths, strict=True):
        cell.pad_right(width + 1 - len(cell))
        line += cell
    line.rstrip()
    return line
