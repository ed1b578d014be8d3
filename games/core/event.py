"""Events of a transition, each with its audience."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

PHASE = "phase"
PENALTY = "penalty"


class Event(NamedTuple):
    """One thing that happened.

    `kind` is a word to select by, `text` a plain sentence, `data` the same as JSON-able facts, and `audience` the seats
    that may know of it: None for everyone. Where some seats know more than the others, there are two events.
    The kind `phase` (data: `to`, a phase id) marks each entry into a phase, `penalty` (data: `seat`) a strike-out.
    """

    kind: str
    text: str
    data: dict[str, Any]
    audience: tuple[int, ...] | None = None

    def reaches(self, seat: int | None) -> bool:
        """Whether the seat (None: a spectator) may know of it."""
        return self.audience is None or seat in self.audience


def seat_name(seat: int) -> str:
    """How a seat is called on screen, in prompts and in answers: `P-0`."""
    return f"P-{seat}"


def seat_names(seats: Iterable[int]) -> str:
    """Seats in words: `P-0, P-1 and P-2`."""
    *others, last = map(seat_name, seats)
    return f"{', '.join(others)} and {last}" if others else last
