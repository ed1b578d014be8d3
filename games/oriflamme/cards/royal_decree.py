"""The Royal Decree (rule 30)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from games.core import Event, IllegalAction, Schema, answer_schema, chosen, fields, one_of
from games.oriflamme import tell
from games.oriflamme.cards.base import CardType, Outcome, Queue
from games.oriflamme.places import BACK, ON, POSITIONS, place_name, position_name
from games.oriflamme.rulings import OWN_FAMILY
from games.oriflamme.stack import CARD, CARD_BITS, OWNER, OWNER_AT, card_of, lifted

if TYPE_CHECKING:
    from games.oriflamme.options import Rules

Move = tuple[int, int]
"""The index of the card to be moved, and the place it goes to, both as they are before the move."""

_FAMILY = OWNER << OWNER_AT
_MOVES: list[list[Move]] = [[(card, place) for place in range(ON + POSITIONS)] for card in range(POSITIONS)]
"""Every move there could be, by card and place, so that none is made twice."""


class RoyalDecree(CardType):
    name = "Royal Decree"
    text = "Moves another card, with its tokens, to any gap of the queue or onto a card of its own family, then is discarded."
    task = "move one other card, with its tokens, elsewhere in the queue"
    is_character = False
    decides = True

    def moves(self, queue: Queue, at: int, rules: Rules) -> list[Move]:
        size, null_moves = len(queue), rules.decree_null_move
        found: list[Move] = []
        for card in range(size):
            if card != at:
                found += _into_gaps(size, card, queue[card] <= CARD, null_moves)
        if rules.decree_stacking == OWN_FAMILY:
            _add_onto_cards(found, queue, at, null_moves)
        return found

    def can_choose(self, queue: Queue, at: int, rules: Rules) -> bool:
        return len(queue) > 1

    def apply(self, queue: Queue, points: int, at: int, move: Move, rules: Rules, told: list[Event] | None) -> Outcome:
        card, place = move
        if told is not None:
            tell.moved(told, card_of(queue[at]), card_of(queue[card]), card, place)
            tell.discarded(told, card_of(queue[at]))
        on_decree = place == ON + at
        moved, at = _onto(queue, card, place - ON, at) if place >= ON else _between(queue, card, place, at)
        if on_decree:
            return _from_under(moved, at), points, at
        return lifted(moved, at), points, at

    # -- the choice in words and as data -----------------------------------------------------------------------------

    def answer(self, move: Move) -> dict[str, Any]:
        return {"card": position_name(move[0]), "to": place_name(move[1])}

    def schema(self, moves: Sequence[Move]) -> Schema:
        cards, places = _names(moves)
        return answer_schema(
            card=one_of(cards, "the position whose top card is moved"),
            to=one_of(places, "where it goes; positions are those before the move"),
        )

    def read(self, data: Any, moves: Sequence[Move]) -> Move:
        card, place = fields(data, "card", "to")
        cards, places = _names(moves)
        chosen("card", card, cards)
        chosen("to", place, places)
        for move in moves:
            if position_name(move[0]) == card and place_name(move[1]) == place:
                return move
        own = [place_name(move[1]) for move in moves if position_name(move[0]) == card]
        why = (
            "a card goes only onto a card of its own family, and not where it is"
            if place.startswith("on ")
            else "that would leave the queue as it is"
        )
        raise IllegalAction(f'The top card of {card} cannot go "{place}": {why}. It can go to: {", ".join(own)}.')


def _names(moves: Sequence[Move]) -> tuple[list[str], list[str]]:
    """The cards and the places of the moves, each once, in the order of the queue."""
    cards = sorted({card for card, _ in moves})
    places = sorted({place for _, place in moves})
    return [position_name(card) for card in cards], [place_name(place) for place in places]


def _into_gaps(size: int, card: int, alone: bool, null_moves: bool) -> list[Move]:
    """The gaps for one card. Both gaps beside a card without any under it leave it where it is: at most one is offered."""
    all_moves = _MOVES[card]
    if not alone:
        return all_moves[:size] + all_moves[BACK : BACK + 1]
    before = all_moves[: card + 1 if null_moves else card]
    return before if card == size - 1 else before + all_moves[card + 2 : size] + all_moves[BACK : BACK + 1]


def _add_onto_cards(found: list[Move], queue: Queue, at: int, null_moves: bool) -> None:
    """Add the cards of its own family for each card. Back onto what it lies on leaves the queue as it is."""
    families: dict[int, list[int]] = {}
    for index, stack in enumerate(queue):
        families.setdefault(stack & _FAMILY, []).append(index)
    for family in families.values():
        if len(family) > 1 or null_moves:
            for card in family:
                if card != at:
                    moves = _MOVES[card]
                    stays = null_moves and queue[card] > CARD
                    found += [moves[ON + other] for other in family if other != card or stays]


def _between(queue: Queue, card: int, gap: int, at: int) -> tuple[Queue, int]:
    """Move the top card at `card` into a gap: the queue then, and where the card that was at `at` is in it."""
    top, under = queue[card] & CARD, queue[card] >> CARD_BITS
    left = [*queue]
    left[card] = under
    left.insert(gap, top)
    before_card, before_at = gap <= card, gap <= at
    if not under:
        del left[card + before_card]
    return tuple(left), at + before_at - (not under and card < at)


def _onto(queue: Queue, card: int, other: int, at: int) -> tuple[Queue, int]:
    """Move the top card at `card` onto the one at `other`: the queue then, and where the card that was at `at` is in it."""
    if card == other:
        return queue, at
    top, under = queue[card] & CARD, queue[card] >> CARD_BITS
    left = [*queue]
    left[other] = top | left[other] << CARD_BITS
    left[card] = under
    if under:
        return tuple(left), at
    del left[card]
    return tuple(left), at - (card < at)


def _from_under(queue: Queue, at: int) -> Queue:
    """The queue without the second card of the stack at `at`: a Decree goes from under the card it moved onto itself."""
    stack = queue[at]
    rest = stack & CARD | stack >> 2 * CARD_BITS << CARD_BITS
    return (*queue[:at], rest, *queue[at + 1 :])
