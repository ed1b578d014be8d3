"""What the cards of the queue may still bring, as a seat knows it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games.oriflamme.cards import TYPES, kinds_of
from games.oriflamme.position import ROUNDS, Position
from games.oriflamme.stack import CARD_BITS, KIND, OWNER, OWNER_AT, POINTS, POINTS_AT, REVEALED, TOKENS, TOKENS_AT

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

_AMBUSH_LOSS = 5.0
"""What eliminating an Ambush costs: its owner gets 4 points and the eliminating card is lost."""


class Prospect(NamedTuple):
    """What a card may bring its owner: once, each time it is resolved, and for a token; and the probability that it springs."""

    once: float
    each_time: float
    token: float
    springs: float


@cache
def _prospect(kinds: int) -> Prospect:
    """The mean over a set of kinds that a card may be of."""
    types = [TYPES[kind] for kind in kinds_of(kinds)]
    worths = [(_WORTH.get(card_type.name, 1.0), card_type) for card_type in types]
    return Prospect(
        sum(worth for worth, card_type in worths if not card_type.is_character) / len(types),
        sum(worth for worth, card_type in worths if card_type.is_character) / len(types),
        sum(card_type.payout for card_type in types) / len(types),
        sum(card_type.springs for card_type in types) / len(types),
    )


class QueuePlan:
    """The queue while a card is resolved, as the seat that owns this card knows it."""

    __slots__ = ("_least", "_points", "_position", "_unseen", "at", "current", "queue", "rounds_left", "seat")

    def __init__(self, position: Position, seat: int) -> None:
        self._position = position
        self._points = position[7]
        self._least = -1
        self._unseen: list[int] = []
        self.seat = seat
        self.at = position[5]
        self.queue = position[6]
        self.current = self.queue[self.at]
        self.rounds_left = ROUNDS - position[2]

    @property
    def tokens(self) -> int:
        """The tokens on the card being resolved."""
        return self.current >> TOKENS_AT & TOKENS

    def owner(self, index: int) -> int:
        """The seat of the top card at an index."""
        return self.queue[index] >> OWNER_AT & OWNER

    def points(self, seat: int) -> int:
        """The points of a seat."""
        return self._points >> POINTS_AT * seat & POINTS

    def worth(self, index: int) -> float:
        """What the top card at an index may still bring its owner."""
        card = self.queue[index]
        once, each_time, token, _ = self._prospect_of(card)
        return once + each_time * (self.rounds_left + (index >= self.at)) + token * (card >> TOKENS_AT & TOKENS)

    def loss(self, index: int) -> float:
        """What eliminating a card brings the seat beyond the point for it: its owner's loss, or its own."""
        card = self.queue[index]
        owner = card >> OWNER_AT & OWNER
        once, each_time, token, springs = self._prospect_of(card)
        worth = once + each_time * (self.rounds_left + (index >= self.at)) + token * (card >> TOKENS_AT & TOKENS)
        if owner == self.seat:
            return -1.0 - worth
        if self._least < 0:
            self._least = min(self._position.scores)
        rival = 1.0 + 0.1 * ((self._points >> POINTS_AT * owner & POINTS) - self._least)
        return rival * worth / 2 - _AMBUSH_LOSS * springs

    def _prospect_of(self, card: int) -> Prospect:
        """The prospect of a card, or the mean over what it may be."""
        if card & REVEALED or card >> OWNER_AT & OWNER == self.seat:
            return _prospect(1 << (card & KIND))
        if not self._unseen:
            self._unseen = _unseen(self._position)
        return _prospect(self._unseen[card >> OWNER_AT & OWNER])


def _unseen(position: Position) -> list[int]:
    """For each seat the set of kinds that others have not seen: in its hand, removed, or hidden in the queue."""
    unseen = [hand | removed for hand, removed in zip(position[8], position[9], strict=True)]
    for stack in position[6]:
        while stack:
            if not stack & REVEALED:
                unseen[stack >> OWNER_AT & OWNER] |= 1 << (stack & KIND)
            stack >>= CARD_BITS
    return unseen
