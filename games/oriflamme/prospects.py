"""What the cards of the queue may still bring, as a seat knows it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games.oriflamme.cards import TYPES
from games.oriflamme.position import ROUNDS, Position
from games.oriflamme.stack import CARD_BITS, KIND, OWNER, OWNER_AT, POINTS, POINTS_AT, REVEALED, TOKENS, TOKENS_AT, Queue

_WORTH = {
    "Archer": 1.6,
    "Soldier": 1.4,
    "Spy": 1.2,
    "Heir": 1.8,
    "Lord": 1.7,
    "Shapeshifter": 1.2,
    "Ambush": 1.5,
    "Assassination": 1.2,
    "Conspiracy": 1.5,
    "Royal Decree": 0.6,
}
"""Points that a card may bring each round it is resolved, or once for an intrigue."""

_SPRUNG = 5.0
"""What eliminating an Ambush costs: its owner gets 4 points and the eliminating card is lost."""


class Prospect(NamedTuple):
    """What a card may bring its owner: once, each time it is resolved, and for a token; and the points that eliminating it
    costs."""

    once: float
    each_time: float
    token: float
    price: float


@cache
def _prospect(kind: int) -> Prospect:
    card_type = TYPES[kind]
    value = _WORTH.get(card_type.name, 1.0)
    once, each_time = (0.0, value) if card_type.is_character else (value, 0.0)
    return Prospect(once, each_time, float(card_type.payout), _SPRUNG if card_type.springs else 0.0)


_UNSEEN, _UNSEEN_AND_SAFE = Prospect(0.5, 0.9, 1.0, 0.15 * _SPRUNG), Prospect(0.4, 1.0, 1.1, 0.0)
"""The same of a hidden card, about the mean over what it may be: with the kinds that spring among them, and without."""


def worth(position: Position, seat: int, index: int) -> float:
    """What the top card at an index may still bring its owner, as a seat knows it while a card is resolved."""
    card = position[6][index]
    once, each_time, token, _ = _prospect_of(position, seat, card)
    return once + each_time * (ROUNDS - position[2] + (index >= position[5])) + token * (card >> TOKENS_AT & TOKENS)


def loss(position: Position, seat: int, index: int) -> float:
    """What eliminating a card brings the seat beyond the point for it: its owner's loss, or its own."""
    card = position[6][index]
    once, each_time, token, price = _prospect_of(position, seat, card)
    lost = once + each_time * (ROUNDS - position[2] + (index >= position[5])) + token * (card >> TOKENS_AT & TOKENS)
    owner = card >> OWNER_AT & OWNER
    return -1.0 - lost if owner == seat else (0.5 + 0.025 * _ahead(position[7], owner, seat)) * lost - price


def _ahead(points: int, owner: int, seat: int) -> int:
    """By how much a player is ahead of the seat, at most 6 points either way."""
    ahead = (points >> POINTS_AT * owner & POINTS) - (points >> POINTS_AT * seat & POINTS)
    return 6 if ahead > 6 else -6 if ahead < -6 else ahead


def _prospect_of(position: Position, seat: int, card: int) -> Prospect:
    owner = card >> OWNER_AT & OWNER
    if card & REVEALED or owner == seat:
        return _prospect(card & KIND)
    springing = _springing()
    is_feared = (position[8][owner] | position[9][owner]) & springing or _hides(position[6], owner, springing)
    return _UNSEEN if is_feared else _UNSEEN_AND_SAFE


def _hides(queue: Queue, owner: int, kinds: int) -> bool:
    """Whether a seat has one of these kinds hidden in the queue. With its hand and the removed cards, these are what others
    have not seen of it: so this tells nothing that they cannot know."""
    family = owner << OWNER_AT
    for stack in queue:
        while stack:
            if stack & _FAMILY_AND_FACE == family and kinds >> (stack & KIND) & 1:
                return True
            stack >>= CARD_BITS
    return False


_FAMILY_AND_FACE = OWNER << OWNER_AT | REVEALED


@cache
def _springing() -> int:
    """The set of kinds that spring when they are eliminated."""
    return sum(1 << kind for kind, card_type in enumerate(TYPES) if card_type.springs)
