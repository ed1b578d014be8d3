"""Hands as bits, and the deal.

A hand is a set of equal ranks: plane k (ten bits) holds the ranks of which there are more than k. Equal hands are equal
numbers, the lowest plane shows which ranks there are, and the number of bits is the number of cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from games.cat_in_the_box.board import RANKS, WIDTH
from games.core import Rng

COPIES = 5

CARDS_OF = tuple(sum(1 << WIDTH * copy + rank for copy in range(COPIES)) for rank in range(WIDTH))
"""The bits of a rank in all planes."""

_NUMBER_BITS = 256


def without(hand: int, rank: int) -> int:
    """The hand with one card of that rank fewer."""
    return hand ^ (1 << (hand & CARDS_OF[rank]).bit_length() - 1)


def hand_of(ranks: Iterable[int]) -> int:
    """The hand of these cards."""
    hand = 0
    for rank in ranks:
        hand |= (hand & CARDS_OF[rank]) << WIDTH | 1 << rank
    return hand


def cards_of(hand: int) -> list[int]:
    """The ranks of all cards of a hand, in order."""
    return [*_ranks_in_order(hand)]


@lru_cache(1024)
def _ranks_in_order(hand: int) -> tuple[int, ...]:
    return tuple(rank for rank in RANKS for _ in range((hand & CARDS_OF[rank]).bit_count()))


def _planes(counts: int) -> int:
    """The hand of up to three ranks whose counts are the octal digits of a number."""
    return hand_of(rank for rank in (1, 2, 3) for _ in range(min(COPIES, counts >> 3 * (rank - 1) & 7)))


_PLANES = tuple(_planes(counts) for counts in range(512))


def counted(counts: int) -> int:
    """The hand in which the number of each rank is an octal digit, rank 1 the lowest."""
    return _PLANES[counts & 511] | _PLANES[counts >> 9 & 511] << 3 | _PLANES[counts >> 18] << 6


def deck_of(ranks: int) -> tuple[int, ...]:
    """Five copies of each rank (rule 1), each card as the octal digit that counts it."""
    return tuple(1 << 3 * rank for rank in range(ranks) for _ in range(COPIES))


def shuffled(deck: tuple[int, ...], rng: Rng) -> list[int]:
    """The cards in a random order: one number of 256 bits, far more than there are orders, says where each one goes."""
    order = 0
    for _ in range(0, _NUMBER_BITS, 64):
        order = order << 64 | rng.next()
    cards = list(deck)
    for left in range(len(cards), 1, -1):
        order, place = divmod(order, left)
        left -= 1
        cards[left], cards[place] = cards[place], cards[left]
    return cards


def rank_counted(card: int) -> int:
    """The rank of a card of `deck_of`."""
    return card.bit_length() // 3 + 1
