"""The phases of a match and where each can lead."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Edge, Phase, Phases
from games.oriflamme.cards import CHOOSERS, TYPES, CardType, ChoosingType

PLACEMENT = 1
RESOLUTION = 2
ROUND_END = 3
GAME_OVER = 4
CHOICE_PHASES = 10
"""The phase in which the owner of a type chooses has this id plus the number of the type."""


def _next_card(when: str) -> tuple[Edge, ...]:
    return (
        Edge(RESOLUTION, f"{when}, another card is next"),
        Edge(ROUND_END, f"{when}, no card is left in the queue"),
    )


def _edge(card_type: CardType, when: str) -> Edge:
    """The edge to the phase in which the owner of a type chooses."""
    return Edge(CHOICE_PHASES + card_type.number, f"a {card_type.name} {when}")


def _choice(card_type: ChoosingType) -> Phase:
    """The phase in which the owner of a type chooses."""
    copied = [
        _edge(other, "is copied")
        for other in TYPES
        if card_type.copies and isinstance(other, ChoosingType) and other.is_character and not other.copies
    ]
    return Phase(
        CHOICE_PHASES + card_type.number,
        card_type.name,
        f"The owner of a {card_type.name} has to {card_type.task}.",
        "the owner of the card being resolved",
        (*copied, *_next_card("done")),
    )


def _phases() -> Iterator[Phase]:
    choices = list(CHOOSERS.values())
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
        (*_next_card("the card is done"), *(_edge(card_type, "has something to choose") for card_type in choices)),
    )
    yield from map(_choice, choices)
    yield Phase(
        ROUND_END,
        "Round end",
        "The whole queue has been resolved; the first player marker passes to the left.",
        "",
        (Edge(PLACEMENT, "up to round 6"), Edge(GAME_OVER, "after round 6")),
    )
    yield Phase(GAME_OVER, "Game Over", "The most points win; a tie goes to the most cards in the queue.", "", ())


PHASES = Phases(_phases())
