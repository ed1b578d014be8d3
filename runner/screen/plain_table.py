"""Plain table: a view as names and values, for a game without a screen of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.perspective import Facts, VisibleState
from runner.screen.safe_text import clean

_ABOVE = frozenset({"game", "seat", "own", "phase", "players"})
"""Fields of a view that the line above the table tells, or that say whose view it is."""
_LONGEST = 2000


def table(seen: VisibleState) -> RenderableType:
    """The table: a line for each public fact, then a row for each seat with its facts and the hidden ones that may be shown."""
    public = {name: value for name, value in seen.view.items() if name not in _ABOVE}
    by_seat = {name: value for name, value in public.items() if _is_by_seat(value, len(seen.names))}
    facts = Table.grid(padding=(0, 2))
    for name, value in public.items():
        if name not in by_seat:
            facts.add_row(Text(_words(name), style=QUIET), _text(value))
    return Group(facts, _seats(seen, by_seat))


def _is_by_seat(value: object, players: int) -> bool:
    return isinstance(value, list) and len(value) == players


def _seats(seen: VisibleState, by_seat: Facts) -> Table:
    hidden = list(dict.fromkeys(name for own in seen.owns.values() for name in own))
    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style=TITLE)
    for name in ("", *map(_words, (*by_seat, *hidden)), "player"):
        rows.add_column(name)
    for seat, player in enumerate(seen.names):
        own: Mapping[str, object] = seen.owns.get(seat, {})
        values = [*(value[seat] for value in by_seat.values()), *(own.get(name) for name in hidden)]
        rows.add_row(seat_text(seat), *map(_text, values), clean(player))
    return rows


def _words(name: str) -> str:
    return clean(name.replace("_", " "))


def _text(value: object) -> Text:
    """A value in words: a list by its elements, nothing for None."""
    match value:
        case None:
            return Text("")
        case str():
            return Text(clean(value, _LONGEST))
        case list() if all(isinstance(one, str | int | float) for one in value):
            return Text(clean(", ".join(map(str, value)), _LONGEST))
        case _:
            return Text(clean(json.dumps(value, ensure_ascii=False), _LONGEST))
