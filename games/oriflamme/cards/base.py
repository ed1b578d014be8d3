"""What every type of card is: a name, what its ability does, and how its owner is asked about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Protocol, Self

from games.core import WHOSE, Event, Sentence, Who
from games.oriflamme.stack import Queue, QueueCard

TYPES: list[CardType] = []
"""Every type known, by its number. `games.oriflamme.cards` fills it."""


class CardRules(Protocol):
    """The options that abilities depend on."""

    @property
    def decree_stacking(self) -> str: ...
    @property
    def ambush_own(self) -> str: ...
    @property
    def assassination_self(self) -> bool: ...
    @property
    def shifter_noop(self) -> bool: ...
    @property
    def lord_counts_covered(self) -> bool: ...
    @property
    def spy_may_pick_self(self) -> bool: ...
    @property
    def decree_null_move(self) -> bool: ...


class CardType:
    """A type of card. The ability of this one brings points; a `ChoosingType` asks its owner.

    An ability is performed by the card at index `at` of the queue and for its owner: for a copy this is the Shapeshifter.
    """

    name: ClassVar[str]
    is_character: ClassVar[bool] = True
    copies: ClassVar[bool] = False
    payout: ClassVar[int] = 1
    springs: ClassVar[bool] = False
    in_short: ClassVar[str] = ""
    """What the card is good for, in a few words."""
    text: ClassVar[str] = ""
    """What the ability does, in words for players: of types beyond the standard ones, whose words are in the prompts."""
    number: int

    @classmethod
    def numbered(cls, number: int) -> Self:
        """The type under its number in the registry."""
        card_type = cls()
        card_type.number = number
        return card_type

    def gain(self, queue: Queue, at: int, rules: CardRules) -> int:
        """The points the ability brings its owner."""
        return 0

    def when_eliminated(self, by_own: bool, rules: CardRules) -> tuple[int, bool]:
        """For a type that `springs`: the points its owner gets, and whether the eliminating card leaves too."""
        return 0, False


def known_card(card: QueueCard, seat: int) -> str:
    """A card of the queue as a seat knows it: its own hidden cards are named, others' are not."""
    if card.owner == seat:
        return f"your own {'' if card.revealed else 'hidden '}{TYPES[card.kind].name}"
    return public_card(card)


def public_card(card: QueueCard) -> Sentence:
    """A card of the queue as everyone knows it: `P-1's Spy`, `P-1's hidden card`."""
    return Sentence(Who(card.owner, WHOSE), f" {TYPES[card.kind].name if card.revealed else 'hidden card'}")


def discarded(card: QueueCard) -> Iterator[Event]:
    """A card left after its ability."""
    data = {"seat": card.owner, "card": TYPES[card.kind].name}
    yield Event("discarded", Sentence(public_card(card), " is discarded."), data)
