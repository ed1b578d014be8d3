"""Positions and places of the queue, and what they are called. Indexes count from 0, names from 1."""

from __future__ import annotations

FRONT = 0
BACK = 31
"""The gap behind the last position. A gap between two positions has the index of the second of them."""
ON = 32
"""A place on the card at an index is this plus the index."""
POSITIONS = 30
"""There are never more positions: five players, six rounds."""

NOWHERE = -1
"""The pointer while no card is being resolved."""


def position_name(at: int) -> str:
    """How a position is called."""
    return f"position {at + 1}"


def place_name(place: int) -> str:
    """How a place that a card can go to is called."""
    if place == FRONT:
        return "front"
    if place == BACK:
        return "back"
    return f"on {position_name(place - ON)}" if place >= ON else f"before {position_name(place)}"


def neighbours(queue: tuple[int, ...], at: int) -> tuple[int, ...]:
    """The indexes of the one or two positions next to a position; none where it stands alone."""
    last = len(queue) - 1
    if 0 < at < last:
        return (at - 1, at + 1)
    if last == 0:
        return ()
    return (at - 1,) if at else (1,)
