"""How often claims were true and challenges right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from games.core import Count, Event, Measure

if TYPE_CHECKING:
    from games.core import State as CoreState

CLAIMS, CHALLENGES, CAUGHT = "claims true", "challenges right", "bluffs caught"
MEASURES = (
    Measure(CLAIMS, "claims of a character, blocks included, that the player had face down"),
    Measure(CHALLENGES, "challenges of a claim that the other player could not prove"),
    Measure(CAUGHT, "false claims that were challenged"),
)


def counts(before: CoreState | None, state: CoreState, events: Sequence[Event]) -> Iterator[Count]:
    """What claims and challenges add; hands are judged as they were before the transition."""
    if before is None:
        return
    for event in events:
        if event.kind in ("declaration", "block"):
            character = event.data["claim" if event.kind == "declaration" else "character"]
            if character is not None:
                yield Count(CLAIMS, event.data["seat"], int(_has(before, event.data["seat"], character)))
                if not _has(before, event.data["seat"], character):
                    yield Count(CAUGHT, event.data["seat"], 0)
        elif event.kind == "challenge":
            claimant = event.data["claimant"]
            is_false = not _has(before, claimant, event.data["character"])
            yield Count(CHALLENGES, event.data["seat"], int(is_false))
            if is_false:
                yield Count(CAUGHT, claimant, 1, 0)


def _has(state: CoreState, seat: int, character: str) -> bool:
    return character in state.hands[seat].down  # type: ignore[attr-defined]
