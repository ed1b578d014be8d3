"""Transitions of a state: the deal, a move or a strike-out, and the events of the last one."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Self

from games.core.event import PHASE, Event
from games.core.origin import STRIKE_OUT


class Transitions:
    """The part of a state that leads to the next one. `origin` is described at `State`, which derives from this."""

    __slots__ = ()
    origin: Any
    setup: Any

    if TYPE_CHECKING:

        @property
        def pending(self) -> tuple[int, ...]: ...

    def owes(self, seat: object) -> bool:
        """Whether this is a seat that owes a decision."""
        return isinstance(seat, int) and not isinstance(seat, bool) and seat in self.pending

    @classmethod
    @abstractmethod
    def deal(cls, setup: Any, events: list[Event] | None) -> Self:
        """Deal a match (origin OPENING). Events are appended to `events` unless it is None."""

    @abstractmethod
    def apply(self, seat: int, move: Any, events: list[Event] | None) -> Self:
        """The state after a legal move (origin: self, seat, move)."""

    @abstractmethod
    def apply_strike_out(self, seat: int, events: list[Event] | None) -> Self:
        """The state after the game's consequence of too many invalid answers (origin: self, seat, STRIKE_OUT)."""

    def strike_out(self, seat: int) -> Self:
        """The state after the game's consequence of too many invalid answers. ValueError for a seat that is not pending."""
        if not self.owes(seat):
            raise ValueError(f"seat {seat} owes no decision, so it cannot be struck out")
        return self.apply_strike_out(seat, None)

    def strike_out_with_events(self, seat: int) -> tuple[Self, tuple[Event, ...]]:
        """The state after a strike-out and its events, for the price of one transition. ValueError as for `strike_out`."""
        if not self.owes(seat):
            raise ValueError(f"seat {seat} owes no decision, so it cannot be struck out")
        events: list[Event] = []
        return self.apply_strike_out(seat, events), tuple(events)

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last transition did, in order; empty for a state read from JSON."""
        if self.origin is None:
            return ()
        before, seat, move = self.origin
        events: list[Event] = []
        if before is None:
            self.deal(self.setup, events)
        elif move is STRIKE_OUT:
            before.apply_strike_out(seat, events)
        else:
            before.apply(seat, move, events)
        return tuple(events)

    @property
    def path(self) -> tuple[int, ...]:
        """The ids of the phases the last transition entered, in order; empty when the phase went on."""
        return tuple(event.data["to"] for event in self.events if event.kind == PHASE)
