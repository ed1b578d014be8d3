"""Oriflamme on a web page: the queue as a row of cards, and the family of each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.core import View
from games.oriflamme.cards import CHOOSERS, NUMBERS
from games.oriflamme.phases import PLACEMENT
from runner.export.page.element import Child, Element, css_name, drawn_once, el
from runner.export.page.table_parts import coins, heading_row, scroller, seat_badge, seat_class, seat_list
from runner.screen.perspective import Facts, VisibleState

CHART = "Points"


class _Card(NamedTuple):
    """A card of the queue; `name` is None if the view may not see it."""

    owner: int
    name: str | None
    is_revealed: bool
    tokens: int


Stack = tuple[_Card, ...]
"""The cards of a position of the queue, the top card first."""


def chart(view: View) -> Sequence[float]:
    """The line of the chart of a match without a review: points."""
    return list(view["points"])


def table(seen: VisibleState) -> Element:
    """The table."""
    queue = _queue(seen)
    at = seen.view["pointer"]
    stacks = (_stack(seen.names, stack, place, place == at) for place, stack in enumerate(queue, 1))
    drawn = el("ol.queue", *stacks, aria_label="the queue") if queue else el("p.empty", "The queue is empty.")
    return el("div.oriflamme", drawn, el("p.task", *_task(seen, queue)), _families(seen, queue))


def _queue(seen: VisibleState) -> list[Stack]:
    known = {seat: iter(own["hidden"]) for seat, own in seen.owns.items()}
    return [tuple([_card(card, known) for card in stack]) for stack in seen.view["queue"]]


def _card(card: Facts, known: dict[int, Iterator[Facts]]) -> _Card:
    owner, name = card["owner"], card["card"]
    if not card["revealed"] and owner in known:
        name = next(known[owner])["card"]
    return _Card(owner, name, card["revealed"], card["tokens"])


@drawn_once
def _stack(names: tuple[str, ...], stack: Stack, place: int, is_current: bool) -> Element:
    cards = [_face(names, card, depth > 0) for depth, card in enumerate(stack)]
    mark = " ▶" if is_current else ""
    return el(f"li.stack{'.current' if is_current else ''}", el("span.place", f"{place}{mark}"), *cards)


def _face(names: tuple[str, ...], card: _Card, is_covered: bool) -> Element:
    owner, name, is_revealed, tokens = card
    kind = css_name(name) if name else "back"
    state = "" if is_revealed else ".peek" if name else ""
    words = name or "hidden"
    return el(
        f"div.card.owned.{seat_class(owner)}.{kind}{state}{'.covered' if is_covered else ''}",
        el("span.face", words),
        seat_badge(names, owner),
        el("small", "hidden") if name and not is_revealed else None,
        coins(tokens, "token") if tokens else None,
    )


# -- what is being decided -------------------------------------------------------------------------------------------


def _task(seen: VisibleState, queue: Sequence[Stack]) -> list[Child]:
    view = seen.view
    seat = view["actor"]
    if seat is None:
        return ["★ ", *seat_list(seen.names, view["winners"]), f": {'; '.join(view['ending'])}"]
    who: list[Child] = [seat_badge(seen.names, seat)]
    if view["phase"]["id"] == PLACEMENT:
        after = view["still_to_place"][1:]
        rest = [", then ", *seat_list(seen.names, after)] if after else [", last of the round"]
        return [*who, " places a card", *rest]
    if view["ability"] is None:
        return [*who, f" keeps or reveals the card at position {view['pointer']}"]
    name = queue[view["pointer"] - 1][0][1]
    copied = "" if name == view["ability"] else f" as a copy of the {view['ability']}"
    return [*who, f"'s {name}{copied} has to {CHOOSERS[NUMBERS[view['ability']]].task}"]


# -- the players -----------------------------------------------------------------------------------------------------


def _families(seen: VisibleState, queue: Sequence[Stack]) -> Element:
    view = seen.view
    types = view["rules"]["card_types"]
    seats = range(view["players"])
    head = heading_row("Card", *(seat_badge(seen.names, seat) for seat in seats))
    places = [_places(seen, seat, queue) for seat in seats]
    rows = [_family_row(name, tuple([place.get(name, "unknown") for place in places])) for name in types]
    title = f"Round {view['round']} of {view['rounds']}: families"
    return scroller(
        "families", el("table.families", el("caption", title), head, el("tbody", _points_row(tuple(view["points"])), *rows))
    )


@drawn_once
def _points_row(points: tuple[int, ...]) -> Element:
    return el("tr", el("th", "Points", scope="row"), *(el("td", el("strong", str(count))) for count in points))


@drawn_once
def _family_row(name: str, places: tuple[str, ...]) -> Element:
    return el("tr", el("th", name, scope="row"), *(_place(place, seat) for seat, place in enumerate(places)))


def _place(place: str, seat: int) -> Element:
    return el(f"td.at-{place}.{seat_class(seat)}", "·" if place == "unknown" else place)


def _places(seen: VisibleState, seat: int, queue: Sequence[Stack]) -> dict[str, str]:
    """The place of each card of a family that the view knows."""
    view, own = seen.view, seen.owns.get(seat)
    found = dict.fromkeys(view["discarded"][seat], "out")
    for owner, name, is_revealed, _ in (card for stack in queue for card in stack):
        if owner == seat and name is not None:
            found[name] = "revealed" if is_revealed else "hidden"
    if own is not None:
        found |= dict.fromkeys(own["hand"], "hand") | dict.fromkeys(own["removed"], "removed")
    return found
