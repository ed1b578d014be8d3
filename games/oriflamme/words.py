"""Cards in words, as a player who knows no more than allowed would name them."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import seat_name
from games.oriflamme.cards.base import TYPES
from games.oriflamme.stack import Card


def known_card(card: Card, seat: int) -> str:
    """A card of the queue for the eyes of a seat: its own hidden cards are named, others' are not."""
    if card.owner == seat:
        return f"your own {'' if card.revealed else 'hidden '}{TYPES[card.kind].name}"
    return public_card(card)


def public_card(card: Card) -> str:
    """A card of the queue for everyone's eyes: `P-1's Spy`, `P-1's hidden card`."""
    return f"{seat_name(card.owner)}'s {TYPES[card.kind].name if card.revealed else 'hidden card'}"


def seats_named(seats: Sequence[int]) -> str:
    """Seats in words: `P-0, P-1 and P-2`."""
    names = [seat_name(seat) for seat in seats]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
