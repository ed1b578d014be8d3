"""How players bluffed and challenged, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rich.table import Table

from runner.screen.palette import QUIET, seat_text

_NONE = "·"


class Bluffing(Protocol):
    """Claims made, those certainly true and certainly false, the false ones found out; challenges made and right."""

    @property
    def claims(self) -> int: ...
    @property
    def true(self) -> int: ...
    @property
    def false(self) -> int: ...
    @property
    def caught(self) -> int: ...
    @property
    def challenges(self) -> int: ...
    @property
    def right(self) -> int: ...


def bluff_rows(players: Sequence[Bluffing]) -> Table:
    """The lines; a claim whose truth never came out counts as unknown."""
    rows = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=QUIET)
    rows.add_column("", no_wrap=True)
    for name in ("Claims", "true", "bluff", "caught", "unknown", "Challenges", "right"):
        rows.add_column(name, justify="right", no_wrap=True)
    for seat, one in enumerate(players):
        unknown = one.claims - one.true - one.false
        numbers = (one.claims, one.true, one.false, one.caught, unknown, one.challenges, one.right)
        rows.add_row(seat_text(seat), *(str(number) if number else _NONE for number in numbers))
    return rows
