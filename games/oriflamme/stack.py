"""A stack of cards as one integer, sixteen bits a card, the top card lowest.

A card is, from its lowest bit: five bits of kind (the number of its type), three of owner, one that tells whether it is
revealed, six of tokens, and one that is always set, so that what lies under the top card, `stack >> CARD_BITS`, is 0
exactly when nothing does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

KIND = 0b11111
OWNER_AT = 5
OWNER = 0b111
REVEALED = 1 << 8
TOKENS_AT = 9
TOKENS = 0b111111
TOKEN = 1 << TOKENS_AT
BARE = ~(TOKENS << TOKENS_AT)
"""A card without its tokens is the card `&` this."""
PRESENT = 1 << 15
CARD_BITS = 16
CARD = (1 << CARD_BITS) - 1

POINTS_AT = 10
POINTS = (1 << POINTS_AT) - 1
"""The points of all seats are one integer too: ten bits a seat, seat 0 lowest."""


class Card(NamedTuple):
    """A card in the queue, taken apart."""

    kind: int
    owner: int
    revealed: bool = False
    tokens: int = 0


def card_of(stack: int) -> Card:
    """The top card of a stack."""
    return Card(stack & KIND, stack >> OWNER_AT & OWNER, bool(stack & REVEALED), stack >> TOKENS_AT & TOKENS)


def cards_of(stack: int) -> list[Card]:
    """The cards of a stack from top to bottom."""
    cards = []
    while stack:
        cards.append(card_of(stack))
        stack >>= CARD_BITS
    return cards


def stack_of(cards: Iterable[Card]) -> int:
    """The stack of these cards, given from top to bottom."""
    stack = 0
    for depth, card in enumerate(cards):
        value = card.kind | card.owner << OWNER_AT | card.tokens << TOKENS_AT | PRESENT
        stack |= (value | REVEALED if card.revealed else value) << CARD_BITS * depth
    return stack


def height(stack: int) -> int:
    """How many cards a stack holds."""
    return len(cards_of(stack))


def lifted(queue: Iterable[int], at: int) -> tuple[int, ...]:
    """The queue without the top card at `at`; a position with nothing left closes up."""
    left = [*queue]
    under = left[at] >> CARD_BITS
    if under:
        left[at] = under
    else:
        del left[at]
    return tuple(left)


def scores_of(points: int, players: int) -> tuple[int, ...]:
    """The points of each seat."""
    return tuple(points >> POINTS_AT * seat & POINTS for seat in range(players))


def points_of(scores: Iterable[int]) -> int:
    """The one integer for the points of each seat."""
    points = 0
    for seat, score in enumerate(scores):
        points |= score << POINTS_AT * seat
    return points
