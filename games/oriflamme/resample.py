"""A position drawn from the information set of a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.core import Rng
from games.oriflamme.cards import kinds_of
from games.oriflamme.position import P, Position
from games.oriflamme.stack import cards_of, stack_of

Holding = tuple[tuple[int, ...], int]
"""What a seat may hold: the kinds of its hidden cards in the order of the queue, each stack from its top, and the set of
kinds that it removed; the rest is its hand."""


def resample(position: P, seat: int | None, rng: Rng, holdings: Mapping[int, Holding] | None = None) -> P:
    """The position with everything that a seat (None: a spectator) cannot know drawn again.

    For each other seat the kinds that only that seat has seen are shuffled over the same places, or are where `holdings` has
    them.
    """
    hands, removed, decks = list(position.hands), list(position.removed), {}
    for other in range(position.setup.players):
        if other != seat:
            deck = list(
                rng.shuffled(unseen(position, other)) if holdings is None else _deck(unseen(position, other), holdings[other])
            )
            hands[other] = _take(deck, hands[other].bit_count())
            removed[other] = _take(deck, removed[other].bit_count())
            decks[other] = deck
    queue = tuple(_redealt(stack, decks) for stack in position.queue)
    return position._replace(hands=tuple(hands), removed=tuple(removed), queue=queue, word=rng.next())


def _deck(unseen: Iterable[int], holding: Holding) -> list[int]:
    """The unseen kinds in the order from which hand, removed cards and queue are taken, the last one first."""
    hidden, removed = holding
    hand = [kind for kind in unseen if kind not in hidden and not removed >> kind & 1]
    return [*reversed(hidden), *kinds_of(removed), *hand]


def unseen(position: Position, seat: int) -> tuple[int, ...]:
    """The kinds of a seat's cards that the others have not seen."""
    cards = [card for stack in position.queue for card in cards_of(stack)]
    hidden = sum(1 << card.kind for card in cards if card.owner == seat and not card.revealed)
    return kinds_of(position.hands[seat] | position.removed[seat] | hidden)


def _take(deck: list[int], number: int) -> int:
    return sum(1 << deck.pop() for _ in range(number))


def _redealt(stack: int, decks: dict[int, list[int]]) -> int:
    """A stack with its unseen cards drawn from the decks of their owners."""
    cards = [
        card._replace(kind=decks[card.owner].pop()) if card.owner in decks and not card.revealed else card
        for card in cards_of(stack)
    ]
    return stack_of(cards)
