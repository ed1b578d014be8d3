"""Parts that the tables of several games have: the name of a seat, cards, coins, bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core import counted
from runner.export.page.element import Child, Element, css_name, drawn_once, el

SEAT_COLOURS = 10


def seat_class(seat: int) -> str:
    """The class that gives an element the accent colour of a seat."""
    return f"s{seat % SEAT_COLOURS}"


@drawn_once
def _badge(name: str, seat: int) -> Element:
    return el(f"b.seat.{seat_class(seat)}", name)


def seat_badge(names: Sequence[str], seat: int) -> Element:
    """The name of a seat in its colour."""
    return _badge(names[seat], seat)


def seat_list(names: Sequence[str], seats: Iterable[int], word: str = "and") -> list[Child]:
    """The names of seats as children, joined by a word."""
    parts: list[Child] = []
    chosen = list(seats)
    for place, seat in enumerate(chosen):
        if place:
            parts.append(f" {word} " if place == len(chosen) - 1 else ", ")
        parts.append(seat_badge(names, seat))
    return parts


def token(names: Sequence[str], seat: int) -> Element:
    """A round token of a seat with the first letter of its name, or its number."""
    name = names[seat]
    letter = name.removeprefix("P-")[:1].upper() or "?"
    return el(f"span.token.{seat_class(seat)}", el("span.letter", letter, aria_hidden="true"), el("span.sr", name))


def card(name: str) -> Element:
    """A card of a hand, face up."""
    return el(f"li.card.{css_name(name)}", el("span.face", name))


def card_back() -> Element:
    """A card of a hand whose face the view may not see."""
    return el("li.card.back", el("span.sr", "hidden card"))


def coins(count: int, what: str = "coin") -> Element:
    """A number with as many coins."""
    shown = el("span.discs", css_n=count, aria_hidden="true") if count > 0 else None
    return el("span.coins", shown, el("span.count", str(count)), el("span.sr", f" {counted(count, what).split(' ', 1)[1]}"))


def bar(seat: int, share: float) -> Element:
    """A bar in the colour of a seat; `share` is the filled part, from 0 to 1."""
    return el(f"span.bar.{seat_class(seat)}", css_share=round(max(0.0, min(1.0, share)), 3), aria_hidden="true")


def scroller(label: str, child: Element) -> Element:
    """A wide part that scrolls within the table, with the keyboard too."""
    return el("div.scroller", child, role="region", aria_label=label, tabindex=0)


@drawn_once
def heading_row(*titles: Child) -> Element:
    """The first row of a table: the titles of its columns."""
    return el("thead", el("tr", *(el("th", title, scope="col") for title in titles)))
