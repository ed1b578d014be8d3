"""The legal moves of a seat: the one source of legality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.oriflamme.cards import CHOOSERS, kinds_of
from games.oriflamme.phases import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.position import Position
from games.oriflamme.stack import BACK, FAMILY, FRONT, ON, OWNER_AT, Queue

Placing = tuple[int, int]
"""The kind of the card and the place it goes to."""

KEEP = "keep"
REVEAL = "reveal"
CHOICES = (KEEP, REVEAL)


def legal_actions(position: Position, seat: int) -> Sequence[Any]:
    """The moves of the seat that decides: placings, KEEP and REVEAL, or what an ability may act on."""
    phase = position.phase_id
    if phase == PLACEMENT:
        return _placings(position.hands[seat], position.queue, seat)
    if phase == RESOLUTION:
        return CHOICES
    return CHOOSERS[phase - CHOICE_PHASES].moves(position.queue, position.pointer, position.setup.options)


def _placings(hand: int, queue: Queue, seat: int) -> tuple[Placing, ...]:
    """Every card of a hand (a set of kinds) at every place."""
    return tuple([(kind, place) for place in places(queue, seat) for kind in kinds_of(hand)])


def places(queue: Queue, seat: int) -> list[int]:
    """Where a seat may place a card: at either end, or on any own card (rules 7 and 8)."""
    if not queue:
        return [FRONT]
    found = [FRONT, BACK]
    family = seat << OWNER_AT
    place = ON
    for stack in queue:
        if stack & FAMILY == family:
            found.append(place)
        place += 1
    return found
