"""The queue as integers: a stack of cards is one integer, nineteen bits a card, the top card lowest.

A card is, from its lowest bit: five bits of kind (the number of its type), three of owner, one that tells whether it is
revealed, six of tokens, one that is always set, so that what lies under the top card, `stack >> CARD_BITS`, is 0 exactly
when nothing does, and three of the round in which it was placed, which everybody saw. The points of all seats are one
integer too: ten bits a seat, seat 0 lowest.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from games.core.element import on_gap, on_stack

_MOST_STACKS = 4096
Queue = tuple[int, ...]
"""A stack for each position, the front first."""

KIND = 0b11111
OWNER_AT = 5
OWNER = 0b111
FAMILY = OWNER << OWNER_AT
REVEALED = 1 << 8
TOKENS_AT = 9
TOKENS = 0b111111
TOKEN = 1 << TOKENS_AT
BARE = ~(TOKENS << TOKENS_AT)
"""A card without its tokens is the card `&` this."""
PRESENT = 1 << 15
PLACED_AT = 16
PLACED = 0b111
CARD_BITS = 19
CARD = (1 << CARD_BITS) - 1

POINTS_AT = 10
POINTS = (1 << POINTS_AT) - 1

# Places that a card can go to: a gap between two positions has the index of the second of them.
FRONT = 0
BACK = 31
"""The gap behind the last position."""
ON = 32
"""A place on the card at an index is this plus the index."""
POSITIONS = 30
"""The longest queue: five players, six rounds."""


class QueueCard(NamedTuple):
    """A card in the queue, as separate values. `placed` is the round in which that was, 0 if nothing tells of it."""

    kind: int
    owner: int
    revealed: bool = False
    tokens: int = 0
    placed: int = 0


def card_of(stack: int) -> QueueCard:
    """The top card of a stack."""
    tokens, placed = stack >> TOKENS_AT & TOKENS, stack >> PLACED_AT & PLACED
    return QueueCard(stack & KIND, stack >> OWNER_AT & OWNER, bool(stack & REVEALED), tokens, placed)


@lru_cache(_MOST_STACKS)
def cards_of(stack: int) -> tuple[QueueCard, ...]:
    """The cards of a stack from top to bottom."""
    cards = []
    while stack:
        cards.append(card_of(stack))
        stack >>= CARD_BITS
    return tuple(cards)


def stack_of(cards: Iterable[QueueCard]) -> int:
    """The stack of these cards, given from top to bottom."""
    stack = 0
    for depth, card in enumerate(cards):
        value = card.kind | card.owner << OWNER_AT | card.tokens << TOKENS_AT | PRESENT | card.placed << PLACED_AT
        stack |= (value | REVEALED if card.revealed else value) << CARD_BITS * depth
    return stack


def without_top(queue: Iterable[int], at: int) -> Queue:
    """The queue without the top card at `at`; a position with nothing left closes up."""
    left = [*queue]
    under = left[at] >> CARD_BITS
    if under:
        left[at] = under
    else:
        del left[at]
    return tuple(left)


def neighbours(queue: Queue, at: int) -> tuple[int, ...]:
    """The indexes of the one or two positions next to a position; none where it stands alone."""
    last = len(queue) - 1
    if 0 < at < last:
        return (at - 1, at + 1)
    if last == 0:
        return ()
    return (at - 1,) if at else (1,)


def scores_of(points: int, players: int) -> tuple[int, ...]:
    """The points of each seat."""
    return tuple(points >> POINTS_AT * seat & POINTS for seat in range(players))


def points_of(scores: Iterable[int]) -> int:
    """The one integer for the points of each seat."""
    points = 0
    for seat, score in enumerate(scores):
        points |= score << POINTS_AT * seat
    return points


def position_name(at: int) -> str:
    """The name of a position; names count from 1, indexes from 0."""
    return f"position {at + 1}"


def place_name(place: int) -> str:
    """The name of a place."""
    if place == FRONT:
        return "front"
    if place == BACK:
        return "back"
    return f"on {position_name(place - ON)}" if place >= ON else f"before {position_name(place)}"


def on_place(queue: Queue, place: int) -> str:
    """The element of the table that a place is."""
    return on_stack(place - ON) if place >= ON else on_gap(len(queue) if place == BACK else place)
