"""Plain table of a web page: a view as names and values, for a game without a page of its own."""

from __future__ import annotations

import json

from runner.export.page.element import Element, el
from runner.export.page.table_parts import heading_row, seat_badge
from runner.screen.perspective import VisibleState

_ABOVE = frozenset({"game", "seat", "own", "phase", "players"})
"""Fields of a view that the page shows elsewhere, or that say whose view it is."""


def table(seen: VisibleState) -> Element:
    """The table: each public fact, then a row for each seat with its facts and the hidden ones that the view may know."""
    public = {name: value for name, value in seen.view.items() if name not in _ABOVE}
    by_seat = {name: value for name, value in public.items() if isinstance(value, list) and len(value) == len(seen.names)}
    facts = (
        el("tr", el("th", _words(name), scope="row"), el("td", _text(value)))
        for name, value in public.items()
        if name not in by_seat
    )
    return el("div.plain", el("table", el("caption.sr", "Facts"), el("tbody", *facts)), _seats(seen, by_seat))


def _seats(seen: VisibleState, by_seat: dict[str, list[object]]) -> Element:
    hidden = list(dict.fromkeys(name for own in seen.owns.values() for name in own))
    rows = []
    for seat in range(len(seen.names)):
        own = seen.owns.get(seat, {})
        values = [*(value[seat] for value in by_seat.values()), *(own.get(name) for name in hidden)]
        head = el("th", seat_badge(seen.names, seat), scope="row")
        rows.append(el("tr", head, *(el("td", _text(value)) for value in values)))
    titles = heading_row("Seat", *map(_words, (*by_seat, *hidden)))
    return el("table", el("caption.sr", "Seats"), titles, el("tbody", *rows))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _text(value: object) -> str:
    """A value in words: a list by its elements, nothing for None."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return ", ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False)
