"""What became of the tokens, and who eliminated whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from games.core import Count, Event, Measure

if TYPE_CHECKING:
    from games.core import State as CoreState

LOST, CASHED, KILLED, LOSSES = "tokens lost on killed cards", "tokens cashed", "cards eliminated", "own cards lost"
MEASURES = (
    Measure(LOST, "tokens that were on the seat's cards when these were eliminated, a match", is_share=False),
    Measure(CASHED, "tokens on the cards that the seat revealed, a match", is_share=False),
    Measure(KILLED, "cards of others that the seat eliminated, a match", is_share=False),
    Measure(LOSSES, "cards of the seat that were eliminated, a match", is_share=False),
)


def counts(before: CoreState | None, state: CoreState, events: Sequence[Event]) -> Iterator[Count]:
    """What reveals and eliminations add."""
    for event in events:
        data = event.data
        if event.kind == "revealed":
            yield Count(CASHED, data["seat"], data["tokens"])
        elif event.kind == "eliminated":
            yield Count(LOST, data["victim"], data["tokens"])
            yield Count(LOSSES, data["victim"], 1)
            yield Count(KILLED, data["seat"], int(data["seat"] != data["victim"]))
