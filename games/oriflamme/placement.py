"""What a seat may place where (rules 7 and 8)."""

from __future__ import annotations

from functools import lru_cache

from games.oriflamme.places import BACK, FRONT, ON
from games.oriflamme.stack import OWNER, OWNER_AT

Move = tuple[int, int]
"""The kind of the card and the place it goes to."""

_FAMILY = OWNER << OWNER_AT


def placements(hand: int, queue: tuple[int, ...], seat: int) -> tuple[Move, ...]:
    """Every card of a hand (a set of kinds) at either end of the queue or on any own card."""
    if not queue:
        return _at(hand, FRONT)
    family = seat << OWNER_AT
    moves = _at(hand, FRONT) + _at(hand, BACK)
    for index, stack in enumerate(queue):
        if stack & _FAMILY == family:
            moves += _at(hand, ON + index)
    return moves


def kinds_of(cards: int) -> tuple[int, ...]:
    """The kinds in a set of kinds."""
    return tuple(kind for kind in range(cards.bit_length()) if cards >> kind & 1)


@lru_cache(maxsize=1 << 15)
def _at(hand: int, where: int) -> tuple[Move, ...]:
    return tuple((kind, where) for kind in kinds_of(hand))
