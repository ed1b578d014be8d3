"""Hopeless seats: seats that were struck out several times in a row without a valid answer in between."""

from __future__ import annotations

from games.core import counted, seat_name
from runner.errors import HopelessError, PausedError

DEFAULT_HOPELESS = 5
"""Strike-outs in a row that make a seat hopeless."""

MOST_STRIKE_OUTS = 250
"""Strike-outs in a row, of all seats together, after which a match pauses: some games never end on penalties alone."""


class HopelessSeatError(PausedError):
    """A seat gives no valid answers. Another player, or more of the same, is for the user to decide."""


class StrikeOuts:
    """Strike-outs in a row without a valid answer, of each seat and of all together. A forced decision is no answer.

    `hopeless` of them make a seat hopeless, 0: no number does. `pauses` tells whether the match pauses then, and each time that
    it has as many again; otherwise the seat is asked once a decision.
    """

    def __init__(self, seats: int, hopeless: int, pauses: bool) -> None:
        self._of_seat = [0] * seats
        self._of_all = 0
        self._hopeless = hopeless
        self._pauses = pauses
        self._due: int | None = None

    def strikes(self, seat: int, usual: int) -> int:
        """The invalid answers in a row that strike a seat out; `usual` where the seat is not hopeless."""
        return 1 if self._is_hopeless(seat) and not self._pauses else usual

    def add(self, seat: int, is_replayed: bool) -> None:
        """Count a strike-out. One that was replayed from a log pauses nothing: the match was resumed since."""
        self._of_seat[seat] += 1
        self._of_all += not is_replayed
        if self._is_hopeless(seat) and self._of_seat[seat] % self._hopeless == 0 and self._pauses and not is_replayed:
            self._due = seat

    def clear(self, seat: int) -> None:
        """The seat gave a valid answer."""
        self._of_seat[seat] = self._of_all = 0

    def check(self) -> None:
        """HopelessSeatError when a seat has become hopeless, HopelessError when no seat at all answers."""
        if self._of_all >= MOST_STRIKE_OUTS:
            raise HopelessError(f"{MOST_STRIKE_OUTS} decisions in a row, of all seats together, brought no valid answer.")
        if self._due is not None:
            times = counted(self._of_seat[self._due], "decision")
            raise HopelessSeatError(f"{seat_name(self._due)} gave no valid answer in {times} in a row.", seat=self._due)

    def _is_hopeless(self, seat: int) -> bool:
        return 0 < self._hopeless <= self._of_seat[seat]
