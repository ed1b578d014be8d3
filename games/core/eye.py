"""Eyes: what somebody who looks on may know of a match: one seat's knowledge, what is public, or everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Any

from games.core.definition import View
from games.core.event import Event
from games.core.remark import Remark
from games.core.state import State


@dataclass(frozen=True, slots=True)
class Eye:
    """Whose knowledge is shown: one seat's, only what is public, or everything."""

    seat: int | None = None
    sees_all: bool = False

    def reads(self, seat: int) -> bool:
        """Whether the perspective may know the questions, answers and mistakes of a seat."""
        return self.sees_all or seat == self.seat

    def knows(self, event: Event) -> bool:
        """Whether it may know of an event."""
        return self.sees_all or event.reaches(self.seat)

    def visible_events(self, events: tuple[Event, ...]) -> list[Event]:
        """The events that the perspective may know; only the private one of a public and a private event of one action."""
        return [event for event, _ in self.visible_remarks(events, ())]

    def visible_remarks(
        self, events: Sequence[Event], remarks: Iterable[Remark], omitted: frozenset[str] = frozenset()
    ) -> list[tuple[Event, list[Remark]]]:
        """The events that the perspective may know, each with its remarks: all in the view of all, public ones elsewhere. A
        remark on an event that is left out for the private one of the same action goes to that one. Of the `omitted` kinds only
        events with a highlight are given."""
        may_know = (remark for remark in remarks if self.sees_all or remark.is_public)
        known = [remark for remark in may_know if remark.kind or events[remark.event].kind not in omitted]
        kept = {remark.event for remark in known}
        found = [
            (number, event)
            for number, event in enumerate(events)
            if self.knows(event) and (event.kind not in omitted or number in kept)
        ]
        shown, passed = list[tuple[Event, list[Remark]]](), -1
        for (number, event), (_, after) in zip_longest(found, found[1:], fillvalue=(-1, None)):
            if event is not None and not _is_repeated(event, after):
                shown.append((event, [remark for remark in known if passed < remark.event <= number]))
                passed = number
        return shown

    def visible(self, state: State, names: tuple[str, ...]) -> VisibleState:
        """The part of a state that the perspective may see."""
        return visible_to([self], state, names)[0]


def _is_repeated(event: Event, after: Event | None) -> bool:
    """Whether the next event is the private, more detailed version of this one."""
    if after is None or event.audience is not None or after.audience is None:
        return False
    return event.data.get("seat") is not None and event.data.get("seat") == after.data.get("seat")


@dataclass(frozen=True, slots=True)
class VisibleState:
    """A state as a perspective sees it. `owns` has the private part of each seat whose cards may be shown."""

    view: View
    owns: Mapping[int, Mapping[str, Any]]
    names: tuple[str, ...]


def visible_to(perspectives: Iterable[Eye], state: State, names: tuple[str, ...]) -> list[VisibleState]:
    """The part of a state that each perspective may see. They share the views of the state, so nobody may change one."""
    view_of, found = cache(state.view), list[VisibleState]()
    for one in perspectives:
        seats = range(state.setup.players) if one.sees_all else () if one.seat is None else (one.seat,)
        found.append(VisibleState(view_of(one.seat), {seat: view_of(seat)["own"] for seat in seats}, names))
    return found
