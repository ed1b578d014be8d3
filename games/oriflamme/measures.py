"""Measures of a seat's play: tokens cashed and lost, cards eliminated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import Count, Event, Measure, State

LOST, CASHED, KILLED, LOSSES = "tokens lost on killed cards", "tokens cashed", "cards eliminated", "own cards lost"
MEASURES = (
    Measure(LOST, "tokens that were on the seat's cards when these were eliminated, a match", is_share=False),
    Measure(CASHED, "tokens on the cards that the seat revealed, a match", is_share=False),
    Measure(KILLED, "cards of others that the seat eliminated, a match", is_share=False),
    Measure(LOSSES, "cards of the seat that were eliminated, a match", is_share=False),
)


def counts(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Count]:
    """What the events of a transition add."""
    for event in events:
        data = event.data
        if event.kind == "revealed":
            yield Count(CASHED, data["seat"], data["tokens"])
        elif event.kind == "eliminated":
            yield Count(LOST, data["victim"], data["tokens"])
            yield Count(LOSSES, data["victim"], 1)
            yield Count(KILLED, data["seat"], int(data["seat"] != data["victim"]))
