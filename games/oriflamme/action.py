"""The legal actions of Oriflamme. Each knows its transition, so that it need not be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from games import core
from games.core import Action
from games.oriflamme.placement import kinds_of, places
from games.oriflamme.walk import choose, copy, keep, place, reveal

if TYPE_CHECKING:
    from games.oriflamme.state import State

KEEP = "keep"
REVEAL = "reveal"
CHOICES = (KEEP, REVEAL)


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
    """Every card of the hand at every place. Neither these pairs nor the actions are made before they are looked at."""

    __slots__ = ("_kinds", "_places", "_size")

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self._seat = seat
        self._kinds = kinds = kinds_of(state.hands[seat])
        self._places = where = places(state.queue, seat)
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


_new = tuple.__new__
