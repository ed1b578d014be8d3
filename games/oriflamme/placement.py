"""What a seat may place where (rules 7 and 8)."""

from __future__ import annotations

from functools import cache

from games.oriflamme.places import BACK, FRONT, ON
from games.oriflamme.stack import OWNER, OWNER_AT

Move = tuple[int, int]
"""The kind of the card and the place it goes to."""

_FAMILY = OWNER << OWNER_AT


def places(queue: tuple[int, ...], seat: int) -> list[int]:
    """Where a seat may place a card: at either end, or on any own card."""
    if not queue:
        return [FRONT]
    found = [FRONT, BACK]
    family = seat << OWNER_AT
    place = ON
    for stack in queue:
        if stack & _FAMILY == family:
            found.append(place)
        place += 1
    return found


def placements(hand: int, queue: tuple[int, ...], seat: int) -> tuple[Move, ...]:
    """Every card of a hand (a set of kinds) at every place."""
    return tuple([(kind, place) for place in places(queue, seat) for kind in kinds_of(hand)])


@cache
def kinds_of(cards: int) -> tuple[int, ...]:
    """The kinds in a set of kinds."""
    return tuple(kind for kind in range(cards.bit_length()) if cards >> kind & 1)
