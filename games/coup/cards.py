"""The five characters, and the influences a player has in front of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

DUKE = "Duke"
ASSASSIN = "Assassin"
AMBASSADOR = "Ambassador"
CAPTAIN = "Captain"
CONTESSA = "Contessa"
CHARACTERS = (DUKE, ASSASSIN, AMBASSADOR, CAPTAIN, CONTESSA)
COPIES = 3
DECK = tuple(sorted(CHARACTERS * COPIES))  # rule 1

Cards = tuple[str, ...]


class Hand:
    """The influences of one player by slot, and which of them are face up. There is one object for each possible hand.

    `down` are the face-down cards in slot order, `shown` the face-up ones, `choices` the different cards among `down`.
    """

    __slots__ = ("_lost", "choices", "code", "down", "shown", "slots", "up")

    slots: Cards
    up: tuple[bool, ...]
    down: Cards
    shown: Cards
    choices: Cards
    code: str
    _lost: dict[str, Hand]

    def __init__(self, slots: Cards, up: tuple[bool, ...]) -> None:
        self.slots = slots
        self.up = up
        self.down = tuple(card for card, shown in zip(slots, up, strict=True) if not shown)
        self.shown = tuple(card for card, shown in zip(slots, up, strict=True) if shown)
        self.choices = tuple(dict.fromkeys(self.down))
        self.code = ", ".join(f"({card})" if shown else card for card, shown in zip(slots, up, strict=True))

    @staticmethod
    def of(slots: Cards, up: tuple[bool, ...] = ()) -> Hand:
        """The hand with these cards, face down unless `up` says otherwise for each."""
        return _HANDS[slots, up or (False,) * len(slots)]

    @staticmethod
    def read(code: str) -> Hand:
        """The hand written as `Hand.code` writes it: `Duke, (Captain)` has a face-up Captain in its second slot."""
        return _BY_CODE[code]

    def lose(self, card: str) -> Hand:
        """The hand after the first face-down card of that name has been turned up."""
        return self._lost[card]

    def swap(self, card: str, other: str) -> Hand:
        """The hand with another card in the place of the first face-down card of that name."""
        slot = self._slot(card)
        return _HANDS[(*self.slots[:slot], other, *self.slots[slot + 1 :]), self.up]

    def take(self, card: str) -> Hand:
        """The hand with one more slot."""
        return _HANDS[(*self.slots, card), (*self.up, False)]

    def keep(self, kept: Cards) -> Hand:
        """The hand with these face-down cards; those it had already stay in their slots."""
        coming = list(kept)
        slots: list[str | None] = []
        for card, shown in zip(self.slots, self.up, strict=True):
            stays = shown or card in coming
            slots.append(card if stays else None)
            if stays and not shown:
                coming.remove(card)
        return _HANDS[tuple(coming.pop(0) if card is None else card for card in slots), self.up]

    def __reduce__(self) -> tuple[object, ...]:
        return Hand.read, (self.code,)

    def __repr__(self) -> str:
        return f"<Hand {self.code}>"

    def _link(self) -> None:
        """Note the hand after each possible loss, once all hands are there."""
        self._lost = {}
        for card in self.choices:
            slot = self._slot(card)
            self._lost[card] = _HANDS[self.slots, (*self.up[:slot], True, *self.up[slot + 1 :])]

    def _slot(self, card: str) -> int:
        for slot, held in enumerate(self.slots):
            if held == card and not self.up[slot]:
                return slot
        raise KeyError(card)


def _all() -> Iterator[Hand]:
    for size in range(3):
        for slots in product(CHARACTERS, repeat=size):
            for up in product((False, True), repeat=size):
                yield Hand(slots, up)


_HANDS = {(hand.slots, hand.up): hand for hand in _all()}
for _hand in _HANDS.values():
    _hand._link()
_BY_CODE = {hand.code: hand for hand in _HANDS.values()}
NO_CARDS = Hand.of(())
