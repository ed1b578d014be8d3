"""Trick table: the tricks of a trick-taking game, one line per trick, one column per seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from runner.screen.palette import QUIET, seat_text
from runner.screen.perspective import Facts
from runner.screen.research_board import row_style

LEADS, WINS = "›", "★"


class Trick(NamedTuple):
    """The plays (seat, colour, rank) with the leader's first, the winner if any, and texts `instead` of plays."""

    plays: Sequence[Facts]
    winner: int | None
    instead: Mapping[int, Text]


def trick_table(tricks: Sequence[Trick], players: int, of: int, most: int) -> Table:
    """The last `most` tricks of a round with `of` tricks."""
    rows = Table(box=None, padding=(0, 1, 0, 0), header_style="", pad_edge=False)
    rows.add_column(Text("Trick", style=QUIET), no_wrap=True)
    for seat in range(players):
        rows.add_column(seat_text(seat), no_wrap=True)
    first = max(0, len(tricks) - most)
    for number, trick in enumerate(tricks[first:], first + 1):
        cells = {**trick.instead}
        for place, play in enumerate(trick.plays):
            cells[play["seat"]] = _play(play, place == 0, play["seat"] == trick.winner)
        rows.add_row(f"{number} of {of}", *(cells.get(seat, Text("")) for seat in range(players)))
    return rows


def _play(play: Facts, leads: bool, wins: bool) -> Text:
    style = f"{row_style(play['colour'])}{' bold' if wins else ''}".strip()
    return Text(LEADS if leads else " ") + Text(f"{play['colour']} {play['rank']}", style=style) + Text(WINS if wins else "")
