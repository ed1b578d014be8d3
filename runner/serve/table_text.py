"""Table text: the table of a match as one seat sees it, as plain text."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from games.core import State
from runner.match.config import MatchConfig
from runner.screen.game_screens import screen_of
from runner.screen.perspective import Perspective

_COLUMNS = 100


def table_text(config: MatchConfig, state: State, seat: int) -> str:
    """The table as it is drawn for a seat, in lines of at most 100 columns without colours."""
    names = tuple(seat.name for seat in config.seats)
    drawn = screen_of(config.game)(Perspective(seat).visible(state, names))
    console = Console(file=StringIO(), width=_COLUMNS, color_system=None, emoji=False, markup=False, highlight=False)
    with console.capture() as captured:
        console.print(drawn)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())
