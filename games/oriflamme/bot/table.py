"""The table as a seat sees it, with what it can guess of hidden cards from what is known to be gone."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.core import View

WORTH = {
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

AMBUSH_LOSS = 5.0
"""What eliminating an Ambush costs: its owner gets 4 points and the eliminating card is lost."""


class Seen(NamedTuple):
    """A top card of the queue as the seat sees it."""

    at: int
    owner: int
    name: str | None
    revealed: bool
    tokens: int


class Table:
    """A view, read for what the rules of thumb need."""

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.points: list[int] = view["points"]
        self.rounds_left: int = view["rounds"] - view["round"]
        self.own_ambush_loses = view["rules"]["ambush_own"] == "two_points_both_leave"
        self.tops = [_seen(index, stack[0]) for index, stack in enumerate(view["queue"])]
        self.pointer: int | None = None if view["pointer"] is None else view["pointer"] - 1
        card_types = view["rules"]["card_types"]
        revealed = [(card["owner"], card["card"]) for stack in view["queue"] for card in stack if card["revealed"]]
        self._unseen = {
            owner: [name for name in card_types if name not in gone and (owner, name) not in revealed]
            for owner, gone in enumerate(view["discarded"])
        }

    @property
    def current(self) -> Seen:
        """The card being resolved."""
        assert self.pointer is not None
        return self.tops[self.pointer]

    def neighbours(self, index: int) -> list[Seen]:
        """The top cards next to a position."""
        return [self.tops[i] for i in (index - 1, index + 1) if 0 <= i < len(self.tops)]

    def ends(self) -> list[Seen]:
        """The first and the last top card."""
        return [self.tops[0], self.tops[-1]]

    def chance(self, card: Seen, name: str) -> float:
        """How likely a card is of that name, as far as the seat can tell."""
        if card.name is not None:
            return float(card.name == name)
        unseen = self._unseen[card.owner]
        return 1 / len(unseen) if name in unseen else 0.0

    def worth(self, card: Seen) -> float:
        """What a card may still bring its owner."""
        if card.name is not None:
            return self._worth(card, card.name)
        unseen = self._unseen[card.owner]
        return sum(self._worth(card, name) for name in unseen) / len(unseen)

    def loss(self, card: Seen) -> float:
        """What eliminating a card brings the seat beyond the point for it: its owner's loss, or its own."""
        if card.owner == self.seat:
            return -1.0 - self.worth(card)
        rival = 1.0 + 0.1 * (self.points[card.owner] - min(self.points))
        return rival * self.worth(card) / 2 - AMBUSH_LOSS * self.chance(card, "Ambush")

    def _worth(self, card: Seen, name: str) -> float:
        worth = WORTH.get(name, 1.0)
        tokens = card.tokens * (2 if name == "Conspiracy" else 0 if name == "Ambush" else 1)
        if name in ("Ambush", "Assassination", "Conspiracy", "Royal Decree"):
            return worth + tokens
        return worth * (self.rounds_left + (card.at >= (self.pointer or 0))) + tokens


def _seen(index: int, card: dict[str, Any]) -> Seen:
    return Seen(index, card["owner"], card["card"], card["revealed"], card["tokens"])
