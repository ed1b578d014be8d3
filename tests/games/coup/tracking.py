"""Every distribution of the cards that a seat must hold possible, with its exact share: counted from what the seat hears.

This is a second count, independent of `games.coup.belief`: it knows all hands, has no unknown cards, and reads events alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

from games.core import Event
from games.coup import State
from games.coup.cards import DECK

Cards = tuple[str, ...]
Table = tuple[Cards, ...]
"""The face-down cards of each seat in alphabetical order, those drawn in an exchange included, and last the deck."""
Shares = dict[Table, Fraction]


def ways(kinds: Cards, pile: Cards) -> int:
    """How many choices of cards from a pile are of these kinds."""
    have = Counter(pile)
    found = 1
    for kind, number in Counter(kinds).items():
        found *= comb(have[kind], number)
    return found


def without(pile: Cards, cards: Cards) -> Cards:
    """A pile without some cards."""
    left = list(pile)
    for card in cards:
        left.remove(card)
    return tuple(left)


def with_cards(pile: Cards, *cards: str) -> Cards:
    """A pile with some more cards."""
    return tuple(sorted((*pile, *cards)))


def table_of(state: State) -> Table:
    """The true distribution."""
    hands = [tuple(sorted(hand.down)) for hand in state.hands]
    if state.drawn:
        hands[state.turn.actor] = with_cards(hands[state.turn.actor], *state.drawn)
    return (*hands, state.deck)


class Tracker:
    """The shares after each transition of a match without a draft. `seat` None is a spectator."""

    def __init__(self, first: State, seat: int | None) -> None:
        self.seat = seat
        self._deck = first.setup.players
        self._draws_first = first.setup.options.proof_swap == "draw_then_return"
        self._shown = ""
        self.shares: Shares = {}
        pile = DECK if seat is None else without(DECK, first.hands[seat].down)
        own = None if seat is None else tuple(sorted(first.hands[seat].down))
        for hands, share in self._deals(pile, first.setup.players, own):
            self.shares[hands] = self.shares.get(hands, Fraction(0)) + share

    def _deals(self, pile: Cards, players: int, own: Cards | None) -> Iterator[tuple[Table, Fraction]]:
        if not players:
            yield (pile,), Fraction(1)
            return
        if self._deck - players == self.seat:
            assert own is not None
            for rest, share in self._deals(pile, players - 1, own):
                yield (own, *rest), share
            return
        for hand in sorted(set(combinations(pile, 2))):
            for rest, share in self._deals(without(pile, hand), players - 1, own):
                yield (hand, *rest), share * ways(hand, pile)

    # -- transitions -------------------------------------------------------------------------------------------------

    def follow(self, after: State) -> None:
        """Take in what the seat hears of the transition to a state."""
        for event in after.events:
            if event.reaches(self.seat):
                self._hear(event)
        if after.phase_id in (5, 6, 14, 15):  # only a player who has the claimed card is asked to show it
            claimant = after.turn.blocker if after.turn.block else after.turn.actor
            self._keep(lambda table: after.claim in table[claimant])

    def _hear(self, event: Event) -> None:
        seat: int = event.data.get("seat", event.data.get("claimant", -1))
        card: str = event.data.get("card", event.data.get("character", ""))
        if event.kind == "false_claim":
            self._keep(lambda table: card not in table[seat])
        elif event.kind == "concession":
            self._keep(lambda table: card in table[seat])
        elif event.kind == "loss":
            self._spread(lambda table: self._lost(table, seat, card))
        elif event.kind == "replacement" and seat != self.seat:
            self._replace(seat, card)
        elif event.kind == "replaced":
            self._replace(seat, self._shown, event.data["card"])
        elif event.kind == "exchange" and seat != self.seat:
            self._spread(lambda table: self._moved(table, self._deck, seat, 2))
        elif event.kind == "drawn":
            drawn = tuple(sorted(event.data["cards"]))
            self._spread(lambda table: self._given(table, self._deck, seat, drawn))
        elif event.kind == "exchanged" and seat != self.seat:
            self._spread(lambda table: self._moved(table, seat, self._deck, 2))
        elif event.kind == "kept":
            returned = tuple(sorted(event.data["returned"]))
            self._spread(lambda table: self._given(table, seat, self._deck, returned))
        if event.kind == "proof":
            self._shown = card

    def _replace(self, seat: int, shown: str, drawn: str | None = None) -> None:
        """A shown card goes into the deck, and a card comes from there; the seat itself knows which."""
        self._keep(lambda table: shown in table[seat])

        def put(table: Table) -> Iterator[tuple[Table, int]]:
            gone = self._put(table, seat, without(table[seat], (shown,)))
            yield self._put(gone, self._deck, with_cards(table[self._deck], shown)), 1

        def draw(table: Table) -> Iterator[tuple[Table, int]]:
            if drawn is None:
                return self._moved(table, self._deck, seat, 1)
            return self._given(table, self._deck, seat, (drawn,))

        for step in (draw, put) if self._draws_first else (put, draw):
            self._spread(step)

    # -- pieces ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _put(table: Table, place: int, cards: Cards) -> Table:
        return (*table[:place], cards, *table[place + 1 :])

    def _lost(self, table: Table, seat: int, card: str) -> Iterator[tuple[Table, int | Fraction]]:
        held = table[seat]
        if seat == self.seat:
            yield self._put(table, seat, without(held, (card,))), 1
        elif card in held:
            yield self._put(table, seat, without(held, (card,))), Fraction(held.count(card), len(held))

    def _given(self, table: Table, source: int, target: int, cards: Cards) -> Iterator[tuple[Table, int]]:
        """Cards that the seat sees go from one place to another."""
        if number := ways(cards, table[source]):
            number = number if source == self._deck else 1
            gone = self._put(table, source, without(table[source], cards))
            yield self._put(gone, target, with_cards(table[target], *cards)), number

    def _moved(self, table: Table, source: int, target: int, number: int) -> Iterator[tuple[Table, int]]:
        """Cards that the seat does not see go from one place to another, each one equally likely."""
        for cards in sorted(set(combinations(table[source], number))):
            gone = self._put(table, source, without(table[source], cards))
            yield self._put(gone, target, with_cards(table[target], *cards)), ways(cards, table[source])

    def _keep(self, agrees: Callable[[Table], bool]) -> None:
        self.shares = {table: share for table, share in self.shares.items() if agrees(table)}

    def _spread(self, outcomes: Callable[[Table], Iterable[tuple[Table, int | Fraction]]]) -> None:
        shares: Shares = {}
        for table, share in self.shares.items():
            for after, number in outcomes(table):
                shares[after] = shares.get(after, Fraction(0)) + share * number
        self.shares = shares

    @property
    def expected(self) -> Shares:
        """The shares, which add up to one."""
        whole = sum(self.shares.values())
        return {table: share / whole for table, share in self.shares.items()}
