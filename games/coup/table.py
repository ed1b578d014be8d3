"""A state taken apart, to be changed and put together again."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, Any, TypeVar

from games.core import Event, Rng
from games.coup import tell
from games.coup.cards import Cards, Hand
from games.coup.moves import CLOCKWISE
from games.coup.turn import Turn

if TYPE_CHECKING:
    from games.coup.state import State

T = TypeVar("T")

_new = tuple.__new__


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with another one at an index."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)


class Table:
    """What lies on the table while something happens. `told` collects the events; it is None when nobody wants them."""

    __slots__ = (
        "coins",
        "deck",
        "drawn",
        "hands",
        "history",
        "kind",
        "living",
        "origin",
        "phase",
        "picks",
        "round",
        "setup",
        "told",
        "turn",
        "word",
    )

    setup: Any
    word: int
    phase: int
    round: int
    hands: tuple[Hand, ...]
    coins: tuple[int, ...]
    living: int
    deck: Cards
    drawn: Cards
    turn: Turn
    history: tuple[Turn, ...]
    picks: Cards

    def __init__(self, state: State, origin: Any, told: list[Event] | None) -> None:
        self.kind = type(state)
        self.origin = origin
        self.told = told
        (
            _,
            self.setup,
            self.word,
            self.phase,
            _,
            self.round,
            self.hands,
            self.coins,
            self.living,
            self.deck,
            self.drawn,
            self.turn,
            self.history,
            self.picks,
        ) = state

    def rest(self, phase: int, pending: tuple[int, ...]) -> State:
        """The state in which these seats decide, in this phase or in one that is entered."""
        if self.told is not None and phase != self.phase:
            self.walk(phase)
        return _new(
            self.kind,
            (
                self.origin,
                self.setup,
                self.word,
                phase,
                pending,
                self.round,
                self.hands,
                self.coins,
                self.living,
                self.deck,
                self.drawn,
                self.turn,
                self.history,
                self.picks,
            ),
        )

    def walk(self, *ids: int) -> None:
        """Tell of phases entered one after the other."""
        for phase in ids:
            self.tell(tell.phase(self.phase, phase))
            self.phase = phase

    def tell(self, *events: Event) -> None:
        """Tell of events. To be called only when somebody wants them."""
        assert self.told is not None
        self.told += events

    # -- cards -------------------------------------------------------------------------------------------------------

    def draw(self) -> str:
        """A card from the deck, each being as likely."""
        rng = Rng(self.word)
        deck = self.deck
        place = rng.below(len(deck))
        self.word = rng.word
        self.deck = deck[:place] + deck[place + 1 :]
        return deck[place]

    def give_back(self, card: str) -> None:
        """Put a card into the deck, which is kept in alphabetical order: it is drawing that is random."""
        deck = self.deck
        place = bisect(deck, card)
        self.deck = (*deck[:place], card, *deck[place:])

    def turn_up(self, seat: int, card: str) -> bool:
        """Turn an influence up. Whether its owner is still in (rules 15, 17)."""
        hand = self.hands[seat].lose(card)
        self.hands = put(self.hands, seat, hand)
        self.turn = self.turn.lost(seat, card)
        if self.told is not None:
            self.tell(tell.loss(seat, card))
        if hand.down:
            return True
        if self.told is not None:
            self.tell(tell.out(seat, self.coins[seat]))
        self.living ^= 1 << seat
        self.coins = put(self.coins, seat, 0)
        return False

    # -- coins -------------------------------------------------------------------------------------------------------

    def pay(self, seat: int, amount: int) -> None:
        """Give a player coins from the treasury, or take them."""
        coins = list(self.coins)
        coins[seat] += amount
        self.coins = tuple(coins)

    # -- seats -------------------------------------------------------------------------------------------------------

    def is_in(self, seat: int) -> bool:
        """Whether a player has influence left."""
        return bool(self.living >> seat & 1)

    def one_left(self) -> bool:
        """Whether only one player has influence left."""
        return not self.living & (self.living - 1)

    def others(self, seat: int) -> tuple[int, ...]:
        """The other living players, clockwise from a seat."""
        return CLOCKWISE[self.living][seat]
