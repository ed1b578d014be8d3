"""Perspective: whose knowledge a screen shows, and the part of a state that is visible from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core import quoted, seat_name
from games.core.eye import Eye
from runner.agents.spec import LoggedSeat, Seat, labels
from runner.errors import UsageError
from runner.match.header import HeaderRecord
from runner.match.records import DecisionRecord

EVERYTHING = "all"
PUBLIC = "public"


def names_of(seats: Sequence[LoggedSeat]) -> list[str]:
    """What people call the player of each seat, then what a log does."""
    return [*labels(seats), *(Seat.of(seat).name for seat in seats)]


@dataclass(frozen=True, slots=True)
class Perspective(Eye):
    """Whose knowledge a screen shows, by the words of `--view`."""

    @classmethod
    def of(cls, word: str, players: int, names: Sequence[str] = ()) -> Perspective:
        """The perspective of a `--view` value: all, public, P-2, or a player's name. UsageError for any other."""
        if word in (EVERYTHING, PUBLIC):
            return cls(sees_all=word == EVERYTHING)
        digits = word.upper().removeprefix("P").removeprefix("-")
        if digits.isdigit() and int(digits) < players:
            return cls(seat=int(digits))
        named = {place % players for place, name in enumerate(names) if name.casefold() == word.casefold()}
        if len(named) == 1:
            return cls(seat=named.pop())
        raise UsageError(
            f"Unknown view {quoted(word)}: use all, public, or a seat of this match (P-0 to P-{players - 1}) or its player's"
            " name."
        )

    @classmethod
    def of_header(cls, word: str, header: HeaderRecord) -> Perspective:
        """The perspective of a `--view` value in the match of a log."""
        return cls.of(word, header["players"], names_of(header["seats"]))

    def views(self, players: int) -> list[Perspective]:
        """The perspectives that keys may change to, this one first: only the view of all goes to the others."""
        return [self, *([Perspective(), *(Perspective(seat) for seat in range(players))] if self.sees_all else [])]

    def how(self, record: DecisionRecord) -> str:
        """How a seat decided; `answer` for a forced decision of a hidden seat, since it tells something about its cards."""
        return "answer" if record["how"] == "forced" and not self.reads(record["seat"]) else record["how"]

    @property
    def name(self) -> str:
        """The `--view` value of the perspective."""
        return EVERYTHING if self.sees_all else PUBLIC if self.seat is None else seat_name(self.seat)
