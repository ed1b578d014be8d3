"""Measures of a seat's play: true claims, bluffs told, believed and found out, right challenges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.core import Count, Event, Measure, State
from games.coup.position import Position

TRUE, CAUGHT, RIGHT = "claims that were true", "bluffs found out", "challenges that were right"
TOLD, BELIEVED = "bluffs told", "bluffs believed"
MEASURES = (
    Measure(TRUE, "true claims, of all claims to a character, for an action or a block"),
    Measure(CAUGHT, "bluffs that were challenged, of all bluffs; one that a strike-out leaves open is neither"),
    Measure(BELIEVED, "bluffs that nobody challenged, of all bluffs; this does not say that everybody believed them"),
    Measure(TOLD, "claims to a character that the seat did not have", is_share=False),
    Measure(RIGHT, "challenges of a bluff, of all challenges; a true claim that its player declines to prove counts as true"),
)


def counts(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Count]:
    """The counts that the claims and challenges of a transition add."""
    if before is None:
        return
    hands = cast("Position", before).hands
    for event in events:
        data = event.data
        if event.kind == "declaration" and data["claim"]:
            yield from _claim(data["seat"], data["claim"] in hands[data["seat"]].down)
        elif event.kind == "block":
            yield from _claim(data["seat"], data["character"] in hands[data["seat"]].down)
        elif event.kind == "challenge":
            yield Count(RIGHT, data["seat"], int(data["character"] not in hands[data["claimant"]].down))
        elif event.kind == "false_claim":
            yield Count(CAUGHT, data["claimant"], 1, 0)
        elif event.kind == "unchallenged" and data["character"] not in hands[data["claimant"]].down:
            yield Count(BELIEVED, data["claimant"], 1, 0)


def _claim(seat: int, is_true: bool) -> Iterator[Count]:
    yield Count(TRUE, seat, int(is_true))
    if not is_true:
        yield Count(TOLD, seat, 1)
        yield Count(BELIEVED, seat, 0)
        yield Count(CAUGHT, seat, 0)
