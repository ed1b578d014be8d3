"""What is kept of a round, while it goes on and after it."""

from __future__ import annotations

from typing import NamedTuple

from games.cat_in_the_box.table import Table

NOT_YET = 0
"""A discard or bid that is still to be made."""


class Penalty(NamedTuple):
    """A point lost by a struck-out seat, the phase, and the move drawn for it: NOT_YET for a discard, which stays hidden."""

    seat: int
    phase_id: int
    move: int


class Result(NamedTuple):
    """A finished round. `paradox` is the seat that was in one, and `shown` its hand."""

    bids: tuple[int, ...]
    tricks_won: tuple[int, ...]
    tokens: tuple[int, ...]
    revealed: tuple[int, ...]
    plays: tuple[int, ...]
    paradox: int | None
    shown: int
    penalties: tuple[Penalty, ...]
    bonuses: tuple[int, ...]
    points: tuple[int, ...]


class Round(NamedTuple):
    """What of a round stays the same from play to play.

    `aside` are the cards left over that nobody has seen and `revealed` the ranks of those that were turned up; `chance`
    is the word the next draw comes from, `paradox` the seat that is in one, `results` the rounds finished.
    """

    table: Table
    number: int
    chance: int
    aside: int
    revealed: tuple[int, ...]
    penalties: tuple[Penalty, ...]
    paradox: int | None
    results: tuple[Result, ...]
