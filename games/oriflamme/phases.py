"""The phases of a match and where each can lead."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Edge, Phase, Phases
from games.oriflamme.cards import TYPES, CardType
from games.oriflamme.phase_ids import GAME_OVER, PLACEMENT, RESOLUTION, ROUND_END


def _onwards(when: str) -> tuple[Edge, ...]:
    return (
        Edge(RESOLUTION, f"{when}, another card is next"),
        Edge(ROUND_END, f"{when}, no card is left in the queue"),
    )


def _choice(card_type: CardType) -> Phase:
    """The phase in which the owner of a type chooses."""
    copied = [
        Edge(other.phase_id, f"a {other.name} is copied")
        for other in TYPES
        if card_type.copies and other.decides and other.is_character and not other.copies
    ]
    return Phase(
        card_type.phase_id,
        card_type.name,
        f"The owner of a {card_type.name} has to {card_type.task}.",
        "the owner of the card being resolved",
        (*copied, *_onwards("done")),
    )


def _phases() -> Iterator[Phase]:
    choices = [card_type for card_type in TYPES if card_type.decides]
    yield Phase(
        PLACEMENT,
        "Placement",
        "Each player in turn places one card face down: at the front, at the back, or on an own card.",
        "the next player in turn",
        (Edge(PLACEMENT, "another player is next"), Edge(RESOLUTION, "everybody has placed")),
    )
    yield Phase(
        RESOLUTION,
        "Resolution",
        "The next card of the queue: a hidden one is kept or revealed by its owner, a revealed one performs its ability.",
        "the owner of the card being resolved, if it is hidden",
        (*_onwards("the card is done"), *(Edge(t.phase_id, f"a {t.name} has something to choose") for t in choices)),
    )
    yield from map(_choice, choices)
    yield Phase(
        ROUND_END,
        "Round end",
        "The queue has been walked to its end; the first player marker passes to the left.",
        "",
        (Edge(PLACEMENT, "up to round 6"), Edge(GAME_OVER, "after round 6")),
    )
    yield Phase(GAME_OVER, "Game over", "The most points win; a tie goes to who has most cards in the queue.", "", ())


PHASES = Phases(_phases())
