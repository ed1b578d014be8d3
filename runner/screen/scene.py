"""What a screen draws from: a view, and the private parts that the perspective may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from games.core import Event, State, View, seat_name
from runner.errors import UsageError

EVERYTHING = "all"
PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Perspective:
    """Whose eyes the screen sees with: a seat's, nobody's (public), or everybody's at once."""

    seat: int | None = None
    sees_all: bool = False

    @classmethod
    def of(cls, word: str, players: int) -> Perspective:
        """The perspective a word on the command line stands for: all, public, or a seat such as P-2. UsageError for others."""
        if word in (EVERYTHING, PUBLIC):
            return cls(sees_all=word == EVERYTHING)
        digits = word.upper().removeprefix("P").removeprefix("-")
        if digits.isdigit() and int(digits) < players:
            return cls(seat=int(digits))
        raise UsageError(f"There is no perspective {word!r}: it is all, public, or a seat from P-0 to P-{players - 1}.")

    def reads(self, seat: int) -> bool:
        """Whether the perspective may know what a seat was told, what it answered, and what was wrong with that."""
        return self.sees_all or seat == self.seat

    @property
    def name(self) -> str:
        """The word on the command line that stands for the perspective."""
        return EVERYTHING if self.sees_all else PUBLIC if self.seat is None else seat_name(self.seat)

    def hears(self, event: Event) -> bool:
        """Whether the perspective may know of an event."""
        return self.sees_all or event.reaches(self.seat)

    def heard(self, events: tuple[Event, ...]) -> list[Event]:
        """The events the perspective may know of; of a public and a private telling of the same thing, the private one."""
        heard = [event for event in events if self.hears(event)]
        return [event for event, after in zip_longest(heard, heard[1:]) if not _is_told_better(event, after)]

    def scene(self, state: State, names: tuple[str, ...]) -> Scene:
        """What the perspective sees of a state."""
        seats = range(state.setup.players) if self.sees_all else () if self.seat is None else (self.seat,)
        view = state.view(None if self.sees_all else self.seat)
        owns = {seat: (view if seat == self.seat else state.view(seat))["own"] for seat in seats}
        return Scene(view, owns, names)


def _is_told_better(event: Event, after: Event | None) -> bool:
    """Whether the event after this one tells a seat's same deed to fewer, and so tells more of it."""
    if after is None or event.audience is not None or after.audience is None:
        return False
    return event.data.get("seat") is not None and event.data.get("seat") == after.data.get("seat")


@dataclass(frozen=True, slots=True)
class Scene:
    """A state as a perspective sees it. `owns` has the private part of each seat whose cards may be shown.

    `has_menu` says that below the table somebody is shown what they can choose, so that the table need not show it, too.
    """

    view: View
    owns: Mapping[int, dict[str, Any]]
    names: tuple[str, ...]
    has_menu: bool = False
