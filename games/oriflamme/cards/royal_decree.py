"""The Royal Decree (rule 30)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from games.core import Event, IllegalAction, Schema, Sentence, Step, Steps, answer_schema, chosen, fields, listed, one_of
from games.core.element import on_stack
from games.oriflamme.cards.base import TYPES, CardRules, discarded, known_card, public_card
from games.oriflamme.cards.choosing import ChoosingType, Outcome
from games.oriflamme.stack import (
    BACK,
    CARD,
    CARD_BITS,
    FAMILY,
    FRONT,
    ON,
    POSITIONS,
    Queue,
    QueueCard,
    card_of,
    on_place,
    place_name,
    position_name,
    without_top,
)

OWN_FAMILY = "own_family"
FORBIDDEN = "forbidden"

Move = tuple[int, int]
"""The index of the card to be moved, and the place it goes to, both as they are before the move."""


class RoyalDecree(ChoosingType):
    name = "Royal Decree"
    in_short = "moves any other card"
    task = "move one other card, with its tokens, elsewhere in the queue"
    is_character = False

    def moves(self, queue: Queue, at: int, rules: CardRules) -> list[Move]:
        size, null_moves = len(queue), rules.decree_null_move
        families = _families(queue) if rules.decree_stacking == OWN_FAMILY else {}
        found: list[Move] = []
        for card, stack in enumerate(queue):
            if card != at:
                alone = stack <= CARD
                found += _into_gaps(size, card, alone, null_moves)
                if families:
                    found += _onto(families[stack & FAMILY], card, null_moves and not alone)
        return found

    def can_choose(self, queue: Queue, at: int, rules: CardRules) -> bool:
        return len(queue) > 1

    def apply(self, queue: Queue, points: int, at: int, move: Move, rules: CardRules, events: list[Event] | None) -> Outcome:
        card, place = move
        if events is not None:
            events += _moved(card_of(queue[at]), card_of(queue[card]), card, place)
            events += discarded(card_of(queue[at]))
        on_decree = place == ON + at
        moved, at = _moved_onto(queue, card, place - ON, at) if place >= ON else _moved_between(queue, card, place, at)
        if on_decree:
            return _from_under(moved, at), points, at
        return without_top(moved, at), points, at

    # -- the choice in words and as data -----------------------------------------------------------------------------

    def answer(self, move: Move) -> dict[str, Any]:
        return {"card": position_name(move[0]), "to": place_name(move[1])}

    def effects(self, queue: Queue, at: int, rules: CardRules) -> dict[str, str]:
        owner = card_of(queue[at]).owner
        destinations: dict[int, list[int]] = {}
        for card, place in self.moves(queue, at, rules):
            destinations.setdefault(card, []).append(place)
        return {
            position_name(card): f"moves {known_card(card_of(queue[card]), owner)} {_destinations(places, len(queue))}"
            for card, places in destinations.items()
        }

    def steps(self, queue: Queue, at: int, move: Move, rules: CardRules) -> Steps:
        card, place = move
        moved = known_card(card_of(queue[card]), card_of(queue[at]).owner)
        effect = "it stays where it is" if place == ON + card else _effect(queue, at, place)
        first = Step("card", position_name(card), f"moves {moved}", (on_stack(card),))
        return first, Step("place", place_name(place), effect, (on_place(queue, place),))

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


def _destinations(places: list[int], size: int) -> str:
    """Where a card may go, in a queue of that size: the gaps, or all but a few of them, and the cards."""
    gaps = [place for place in places if place < ON]
    closed = [gap for gap in (*range(size), BACK) if gap not in gaps]
    if len(gaps) > len(closed) + 1:
        words = "to any gap" + (f" except {listed(list(map(place_name, closed)))}" if closed else "")
    else:
        words = f"to {listed(list(map(place_name, gaps)))}"
    cards = [place_name(place) for place in places if place >= ON]
    return words + (f", or {listed(cards)}" if cards else "")


def _effect(queue: Queue, at: int, place: int) -> str:
    """What becomes of a card that the Decree at `at` moves to a place."""
    if place == ON + at:
        return "it covers your own Royal Decree and is resolved next"
    index, covers = place, ""
    if place >= ON:
        index = place - ON
        covers = f"covers {known_card(card_of(queue[index]), card_of(queue[at]).owner)} and "
    return f"it {covers}is {'still to be resolved' if index > at else 'not resolved any more'} this round"


def _names(moves: Sequence[Move]) -> tuple[list[str], list[str]]:
    """The cards and the places of the moves, each once, in the order of the queue."""
    cards = sorted({card for card, _ in moves})
    places = sorted({place for _, place in moves})
    return [position_name(card) for card in cards], [place_name(place) for place in places]


def _families(queue: Queue) -> dict[int, int]:
    """The top cards of each family: bit i for the one at index i."""
    families: dict[int, int] = {}
    bit = 1
    for stack in queue:
        family = stack & FAMILY
        families[family] = families.get(family, 0) | bit
        bit <<= 1
    return families


@lru_cache(maxsize=4096)
def _into_gaps(size: int, card: int, alone: bool, null_moves: bool) -> tuple[Move, ...]:
    """The gaps for one card. Both gaps beside a card without any under it leave it where it is: at most one is offered."""
    places = [*range(size), BACK]
    if alone:
        del places[card + 1]
        if not null_moves:
            del places[card]
    return tuple((card, place) for place in places)


@lru_cache(maxsize=16384)
def _onto(family: int, card: int, stays: bool) -> tuple[Move, ...]:
    """The cards of a family (bit i for index i) for one of them. Back onto what it lies on leaves the queue as it is."""
    return tuple((card, ON + other) for other in range(POSITIONS) if family >> other & 1 and (other != card or stays))


def _moved_between(queue: Queue, card: int, gap: int, at: int) -> tuple[Queue, int]:
    """Move the top card at `card` into a gap: the queue then, and where the card that was at `at` is in it."""
    top, under = queue[card] & CARD, queue[card] >> CARD_BITS
    left = [*queue]
    left[card] = under
    left.insert(gap, top)
    before_card, before_at = gap <= card, gap <= at
    if not under:
        del left[card + before_card]
    return tuple(left), at + before_at - (not under and card < at)


def _moved_onto(queue: Queue, card: int, other: int, at: int) -> tuple[Queue, int]:
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


def _moved(decree: QueueCard, card: QueueCard, at: int, place: int) -> Iterator[Event]:
    """A Royal Decree moved a card."""
    where = f"{'to the ' if place in (FRONT, BACK) else ''}{place_name(place)}"
    text = Sentence(public_card(decree), " moves ", public_card(card), f" from {position_name(at)} {where}.")
    name = TYPES[card.kind].name if card.revealed else None
    data = {"seat": decree.owner, "owner": card.owner, "card": name, "position": at + 1, "to": place_name(place)}
    yield Event("moved", text, data)
