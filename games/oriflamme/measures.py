"""Measures of a seat's play: tokens cashed and lost, cards eliminated, bluffs with cards that spring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.core import Count, Event, Measure, State
from games.oriflamme.cards import TYPES
from games.oriflamme.position import Position
from games.oriflamme.stack import card_of

LOST, CASHED, KILLED, LOSSES = "tokens lost on killed cards", "tokens cashed", "cards eliminated", "own cards lost"
BAIT, SPRUNG, SAFE = "cards kept as bait", "baits taken", "attacks on hidden cards that met no bait"
MEASURES = (
    Measure(LOST, "tokens on the seat's cards that were eliminated, an Ambush's too, which pay nothing", is_share=False),
    Measure(CASHED, "tokens on cards that the seat revealed, an Ambush's too, which pay nothing", is_share=False),
    Measure(KILLED, "cards of others that the seat eliminated", is_share=False),
    Measure(LOSSES, "cards of the seat that anybody eliminated", is_share=False),
    Measure(BAIT, "times that an Ambush was kept hidden, of all times that a card was; it need not be meant as bait"),
    Measure(SPRUNG, "Ambushes that an opponent eliminated, of those that left the queue before the end"),
    Measure(SAFE, "hidden cards of others that the seat eliminated and that were no Ambush, of all of those"),
)


def counts(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Count]:
    """What the events of a transition add."""
    if before is not None:
        for event in events:
            yield from _of_tokens(event)
            yield from _of_bluffs(event, cast("Position", before))


def _of_tokens(event: Event) -> Iterator[Count]:
    data = event.data
    if event.kind == "revealed":
        yield Count(CASHED, data["seat"], data["tokens"])
    elif event.kind == "eliminated":
        yield Count(LOST, data["victim"], data["tokens"])
        yield Count(LOSSES, data["victim"], 1)
        yield Count(KILLED, data["seat"], int(data["seat"] != data["victim"]))


def _of_bluffs(event: Event, before: Position) -> Iterator[Count]:
    """What an event adds to the measures of cards that spring when they are eliminated."""
    data = event.data
    if event.kind == "kept":
        yield Count(BAIT, data["seat"], int(_springs(before, data["position"])))
    elif event.kind == "discarded" and _is_bait(data["card"]):
        yield Count(SPRUNG, data["seat"], 0)
    elif event.kind == "eliminated":
        springs, is_own = _springs(before, data["position"]), data["seat"] == data["victim"]
        if springs:
            yield Count(SPRUNG, data["victim"], int(not is_own))
        if not is_own and not card_of(before.queue[data["position"] - 1]).revealed:
            yield Count(SAFE, data["seat"], int(not springs))


def _springs(before: Position, position: int) -> bool:
    return TYPES[card_of(before.queue[position - 1]).kind].springs


def _is_bait(name: str) -> bool:
    return any(card_type.springs for card_type in TYPES if card_type.name == name)
