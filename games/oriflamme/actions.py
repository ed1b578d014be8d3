"""The legal moves of a seat: the one source of legality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from games.oriflamme.cards import CHOOSERS, kinds_of
from games.oriflamme.phases import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.position import Position
from games.oriflamme.stack import BACK, FAMILY, FRONT, ON, OWNER_AT, Queue

Placing = tuple[int, int]
"""The kind of the card and the place it goes to."""

KEEP = "keep"
REVEAL = "reveal"
CHOICES = (KEEP, REVEAL)


def legal_actions(position: Position, seat: int) -> Sequence[Any]:
    """The moves of the seat that decides: placings, KEEP and REVEAL, or what an ability may act on."""
    phase = position.phase_id
    if phase == RESOLUTION:
        return CHOICES
    if phase == PLACEMENT:
        return Placings(position.hands[seat], places(position.queue, seat))
    return CHOOSERS[phase - CHOICE_PHASES].moves(position.queue, position.pointer, position.setup.options)


class Placings(Sequence[Placing]):
    """Every card of a hand (a set of kinds) at every place; a placing is made when it is looked at."""

    __slots__ = ("_kinds", "_places", "_size")

    def __init__(self, hand: int, where: list[int]) -> None:
        self._kinds = kinds_of(hand)
        self._places = where
        self._size = len(self._kinds) * len(where)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Placing: ...
    @overload
    def __getitem__(self, index: slice) -> list[Placing]: ...
    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is slice:
            return [self[each] for each in range(*index.indices(self._size))]
        kinds = self._kinds
        many = len(kinds)
        return kinds[index % many], self._places[index // many]


def places(queue: Queue, seat: int) -> list[int]:
    """Where a seat may place a card: at either end, or on any own card (rules 7 and 8)."""
    if not queue:
        return [FRONT]
    found = [FRONT, BACK]
    family = seat << OWNER_AT
    place = ON
    for stack in queue:
        if stack & FAMILY == family:
            found.append(place)
        place += 1
    return found
