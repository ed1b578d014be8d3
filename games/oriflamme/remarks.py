"""Remarks on the queue: which cards are hidden in it, what a card cost or brought, and who takes the lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.core import Event, Remark, State, overtaker
from games.oriflamme.cards import TYPES
from games.oriflamme.position import ROUNDS, Position
from games.oriflamme.stack import CARD_BITS, ON, card_of, place_name

AMBUSH, TOKENS, OWN, PAID, LEAD = "ambush", "tokens", "own", "paid", "lead"
_MANY_TOKENS, _MANY_POINTS = 3, 5
HIGHLIGHTS = {
    AMBUSH: "Ambushes sprung",
    TOKENS: f"cards with {_MANY_TOKENS} or more tokens eliminated",
    OWN: "own cards eliminated",
    PAID: f"reveals for {_MANY_POINTS} or more points",
    LEAD: "lead changes",
}
_SCORING = ("gained", "eliminated", "revealed", "ambush", "spied", "penalty")


def remarks(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Remark]:
    """The remarks on a transition."""
    if before is not None:
        for number, event in enumerate(events):
            yield from _hidden(number, event, cast("Position", before))
            yield from _public(number, event)
        yield from _lead(before, state, events)


def _hidden(number: int, event: Event, before: Position) -> Iterator[Remark]:
    """The name of a face-down card that an event is about."""
    data = event.data
    if event.kind == "kept" or (event.kind == "moved" and data["card"] is None):
        yield Remark(number, f"the {_name(before.queue[data['position'] - 1])}")
    elif event.kind == "own card" and (covered := _covered(before, data["place"])):
        yield Remark(number, f"on the {_name(covered)}")
    elif event.kind == "eliminated" and (under := before.queue[data["position"] - 1] >> CARD_BITS):
        yield Remark(number, f"the {_name(under)} is under it")


def _name(stack: int) -> str:
    return TYPES[card_of(stack).kind].name


def _covered(before: Position, place: str) -> int:
    """The stack that a place is on; 0 for a place between cards."""
    places = {place_name(ON + at): stack for at, stack in enumerate(before.queue)}
    return places.get(place, 0)


def _public(number: int, event: Event) -> Iterator[Remark]:
    data = event.data
    if event.kind == "ambush" and data["seat"] != data["attacker"]:
        yield Remark(number, "", AMBUSH, data["seat"], 7, is_public=True)
    elif event.kind == "eliminated":
        if data["seat"] == data["victim"]:
            yield Remark(number, "a card of its own family", OWN, data["seat"], 4, is_public=True)
        elif data["tokens"] >= _MANY_TOKENS:
            yield Remark(number, "", TOKENS, data["seat"], 3 + data["tokens"], is_public=True)
    elif event.kind == "revealed" and data["points"] >= _MANY_POINTS:
        yield Remark(number, "", PAID, data["seat"], min(data["points"], 9), is_public=True)


def _lead(before: State, state: State, events: Sequence[Event]) -> Iterator[Remark]:
    leader = overtaker(before.scores, state.scores)
    if leader is not None:
        number = max(number for number, event in enumerate(events) if event.kind in _SCORING)
        weight = 6 if before.round == ROUNDS else 2
        yield Remark(number, "a new leader", LEAD, leader, weight, is_public=True)
