"""The legal actions of a state, each bound to its transition: random play looks none up, and makes only what it looks at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from games import core
from games.core import Action
from games.oriflamme.actions import KEEP, REVEAL, places
from games.oriflamme.cards import CHOOSERS, kinds_of
from games.oriflamme.phases import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.position import Position
from games.oriflamme.transitions import choose, copy, keep, place, reveal


class Place(Action):
    """A hand card goes to a place."""

    __slots__ = ()
    next_state = property(place)


class Keep(Action):
    """The hidden card being resolved stays hidden."""

    __slots__ = ()
    next_state = property(keep)


class Reveal(Action):
    """The hidden card being resolved is revealed."""

    __slots__ = ()
    next_state = property(reveal)


class Choose(Action):
    """What an ability acts on."""

    __slots__ = ()
    next_state = property(choose)


class Copy(Action):
    """Whose ability a Shapeshifter performs."""

    __slots__ = ()
    next_state = property(copy)


class Placings(core.Actions):
    """Every card of the hand at every place, in the order of `legal_actions`."""

    __slots__ = ("_kinds", "_places", "_size")

    def __init__(self, state: Any, seat: int, kinds: Sequence[int], where: Sequence[int]) -> None:
        self._state = state
        self._seat = seat
        self._kinds = kinds
        self._places = where
        self._size = len(kinds) * len(where)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is slice:
            return tuple([self[each] for each in range(*index.indices(len(self)))])
        kinds = self._kinds
        hands = len(kinds)
        return _new(Place, (self._state, self._seat, (kinds[index % hands], self._places[index // hands])))


def bound_actions(state: Any) -> Sequence[Action]:
    """The legal actions of the seat that decides; none at the end."""
    position: Position = state
    seat, phase = position.actor, position.phase_id
    if phase == RESOLUTION:
        return _new(Keep, (state, seat, KEEP)), _new(Reveal, (state, seat, REVEAL))
    if seat is None:
        return ()
    if phase == PLACEMENT:
        return Placings(state, seat, kinds_of(position.hands[seat]), places(position.queue, seat))
    card_type = CHOOSERS[phase - CHOICE_PHASES]
    moves = card_type.moves(position.queue, position.pointer, position.setup.options)
    action, many = Copy if card_type.copies else Choose, len(moves)
    if many == 1:
        return (_new(action, (state, seat, moves[0])),)
    if many == 2:
        return _new(action, (state, seat, moves[0])), _new(action, (state, seat, moves[1]))
    return core.Actions(state, seat, moves)


_new = tuple.__new__
