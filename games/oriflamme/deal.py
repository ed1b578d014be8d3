"""Dealing a match, and dealing anew what a seat cannot know."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from games.core import Event, Rng, Setup
from games.oriflamme import tell
from games.oriflamme.cards import NUMBERS
from games.oriflamme.phase_ids import PLACEMENT
from games.oriflamme.placement import kinds_of
from games.oriflamme.stack import cards_of, stack_of

if TYPE_CHECKING:
    from games.oriflamme.state import State

REMOVED = 3

Sets = tuple[int, ...]


def deal(setup: Setup) -> tuple[Sets, Sets, int]:
    """The hands, the removed cards (rule 3) and the word of chance for the match."""
    rng = Rng.of("oriflamme", setup.seed)
    whole, ways = _deck(setup.options.card_types)
    drawn = rng.below(len(ways) ** setup.players)
    removed = []
    for _ in range(setup.players):
        drawn, way = divmod(drawn, len(ways))
        removed.append(ways[way])
    return tuple([whole ^ cards for cards in removed]), tuple(removed), rng.word


@cache
def _deck(card_types: tuple[str, ...]) -> tuple[int, Sets]:
    """The set of kinds of a family, and every set of three that can be removed from it."""
    ways = [sum(1 << NUMBERS[name] for name in names) for names in combinations(card_types, REMOVED)]
    return whole_set(card_types), tuple(ways)


def whole_set(card_types: tuple[str, ...]) -> int:
    """The set of kinds of a family."""
    return sum(1 << NUMBERS[name] for name in card_types)


def tell_deal(hands: Sets, removed: Sets, told: list[Event]) -> None:
    """Tell how a match was dealt."""
    for seat, (hand, cards) in enumerate(zip(hands, removed, strict=True)):
        tell.dealt(told, seat, kinds_of(hand), kinds_of(cards))
    tell.phase(told, None, PLACEMENT, "Round 1 begins: P-0 places first.")


def redeal(state: State, seat: int | None, rng: Rng) -> tuple[Sets, Sets, tuple[int, ...]]:
    """Hands, removed cards and queue with all that a seat (None: a spectator) cannot know drawn anew.

    For each other seat the kinds that nobody but itself has seen are shuffled over the same places.
    """
    hands, removed, decks = list(state.hands), list(state.removed), {}
    for other in range(state.setup.players):
        if other != seat:
            deck = list(rng.shuffled(_unseen(state, other)))
            hands[other] = _take(deck, hands[other].bit_count())
            removed[other] = _take(deck, removed[other].bit_count())
            decks[other] = deck
    queue = tuple(_reprinted(stack, decks) for stack in state.queue)
    return tuple(hands), tuple(removed), queue


def _unseen(state: State, seat: int) -> tuple[int, ...]:
    cards = [card for stack in state.queue for card in cards_of(stack)]
    hidden = sum(1 << card.kind for card in cards if card.owner == seat and not card.revealed)
    return kinds_of(state.hands[seat] | state.removed[seat] | hidden)


def _take(deck: list[int], number: int) -> int:
    return sum(1 << deck.pop() for _ in range(number))


def _reprinted(stack: int, decks: dict[int, list[int]]) -> int:
    cards = [
        card._replace(kind=decks[card.owner].pop()) if card.owner in decks and not card.revealed else card
        for card in cards_of(stack)
    ]
    return stack_of(cards)
