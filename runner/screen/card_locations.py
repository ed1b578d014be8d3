"""Where the cards are that every seat has once each: a line for each seat, a column for each card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from rich.style import Style
from rich.text import Text

from runner.screen.palette import QUIET

_LETTERS = 3


class Whereabouts(Enum):
    """Where a card is: a sign for narrow columns, the word for it, how it is set."""

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


WORD = max(len(one.word) for one in Whereabouts)
LEGEND = Text(" ".join(f"{one.sign} {one.word}" for one in Whereabouts).removesuffix("·") + "not known", style=QUIET)
"""What the signs mean."""


def column_widths(names: Sequence[str], room: int) -> list[int]:
    """Columns for whole names and words, if there is room for them; else for words; else for three letters and signs."""
    for widths in ([max(len(name), WORD) for name in names], [WORD] * len(names)):
        if sum(widths) + len(names) - 1 <= room:
            return widths
    return [_LETTERS] * len(names)


def heading(names: Sequence[str], widths: Sequence[int], short: Mapping[str, str]) -> Text:
    """The names of the cards over their columns, as far as they fit."""
    fitting = (name if len(name) <= width else short.get(name, name)[:width] for name, width in zip(names, widths, strict=True))
    return _in_columns((Text(name, style=QUIET) for name in fitting), widths)


def whereabouts_line(places: Sequence[Whereabouts], widths: Sequence[int], style: str) -> Text:
    """Where each card of a seat is, in the seat's colour if it may still count."""
    return _in_columns((_cell(*one, style) for one in zip(places, widths, strict=True)), widths)


def _cell(place: Whereabouts, width: int, style: str) -> Text:
    colour = Style() if place.setting == QUIET else Style.parse(style)
    return Text(place.word if width >= WORD else f" {place.sign}", style=colour + Style.parse(place.setting))


def _in_columns(cells: Iterable[Text], widths: Sequence[int]) -> Text:
    line = Text()
    for cell, width in zip(cells, widths, strict=True):
        cell.pad_right(width + 1 - len(cell))
        line += cell
    line.rstrip()
    return line
