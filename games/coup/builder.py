"""A position taken apart, changed, and built again."""

from __future__ import annotations

from bisect import bisect
from typing import Any

from games.core import Event, Rng
from games.core.rng import replaced
from games.coup import events as told
from games.coup.actions import CLOCKWISE
from games.coup.cards import Cards, Hand
from games.coup.position import Position, Turn

_new = tuple.__new__


class PositionBuilder:
    """The fields of a position during a transition. `events` collects the events; it is None when nobody wants them."""

    __slots__ = (
        "coins",
        "deck",
        "drawn",
        "draws",
        "events",
        "hands",
        "history",
        "kind",
        "living",
        "origin",
        "phase",
        "picks",
        "round",
        "setup",
        "strike_outs",
        "turn",
        "word",
    )

    kind: type[Position]
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
    draws: Cards
    strike_outs: tuple[tuple[int, int, int], ...]

    def __init__(self, position: Position, origin: Any, events: list[Event] | None) -> None:
        self.kind = type(position)
        self.origin = origin
        self.events = events
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
            self.draws,
            self.strike_outs,
        ) = position

    def build(self, phase: int, pending: tuple[int, ...]) -> Position:
        """The position in which these seats decide, in this phase or in a phase that is entered."""
        if self.events is not None and phase != self.phase:
            self.enter(phase)
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
                self.draws,
                self.strike_outs,
            ),
        )

    def enter(self, phase: int) -> None:
        """Tell that a phase is entered. Called only when somebody wants events."""
        assert self.events is not None
        self.events += told.phase(self.phase, phase)
        self.phase = phase

    # -- cards -------------------------------------------------------------------------------------------------------

    def draw(self) -> str:
        """A card drawn from the deck, each equally likely."""
        rng = Rng(self.word)
        deck = self.deck
        place = rng.below(len(deck))
        self.word = rng.word
        self.deck = deck[:place] + deck[place + 1 :]
        self.draws += (deck[place],)
        return deck[place]

    def return_card(self, card: str) -> None:
        """Put a card into the deck, which stays in alphabetical order: drawing is random."""
        deck = self.deck
        place = bisect(deck, card)
        self.deck = (*deck[:place], card, *deck[place:])

    def exchange_proof(self, seat: int, card: str) -> str:
        """Exchange a shown card with the deck (rule 11). The card drawn for it."""
        if self.setup.options.proof_swap == "draw_then_return":  # K-C1
            drawn = self.draw()
            self.return_card(card)
        else:
            self.return_card(card)
            drawn = self.draw()
        self.hands = replaced(self.hands, seat, self.hands[seat].swap(card, drawn))
        return drawn

    def lose_influence(self, seat: int, card: str) -> bool:
        """Turn a card up. Whether its owner is still in (rules 15, 17)."""
        hand = self.hands[seat].lose(card)
        self.hands = replaced(self.hands, seat, hand)
        self.turn = self.turn.lost(seat, card)
        if self.events is not None:
            self.events += told.loss(seat, card)
        if hand.down:
            return True
        if self.events is not None:
            self.events += told.out(seat, self.coins[seat])
        self.living ^= 1 << seat
        self.coins = replaced(self.coins, seat, 0)
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
