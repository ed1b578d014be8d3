"""What every seat is doing: a sign and words for it, the same in all games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from runner.screen.palette import BAD, GOOD, QUIET, seat_text

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TURNS = 8
"""How many steps of the spinner a second has."""
_GAP = 2
_UNDELIVERED = ("infrastructure", "configuration")
_SAID = {
    "answer": ("✓ answered", GOOD),
    "forced": ("· no choice", QUIET),
    "moot": ("· too late", QUIET),
    "strike_out": ("✗ struck out", BAD),
}


@dataclass(slots=True)
class SeatState:
    """What a seat is doing: `since` is when it was asked (seconds, monotonic; None: it is not), `how` what came of it.

    `strikes` counts its invalid answers to the question, `tries` the requests that brought none.
    """

    since: float | None = None
    how: str = ""
    strikes: int = 0
    tries: int = 0

    def ask(self, now: float) -> None:
        """It has been asked."""
        self.since, self.how, self.strikes, self.tries = now, "", 0, 0

    def attempt(self, record: dict[str, Any]) -> None:
        """It has given an answer, or its endpoint has not."""
        self.strikes += record["outcome"] == "mistake"
        self.tries = self.tries + 1 if record["outcome"] in _UNDELIVERED else 0

    def decide(self, how: str) -> None:
        """It has decided, or was struck out."""
        self.since, self.how = None, how

    def rest(self) -> None:
        """What it did is told, and something else has begun."""
        if self.since is None:
            self.how, self.strikes = "", 0

    def words(self, now: float, most: int, is_out: bool) -> Text:
        """The sign and the words, `most` being the invalid answers that bring the penalty."""
        if is_out:
            return Text("† out", style=QUIET)
        if self.since is None:
            word, style = _SAID.get(self.how, ("·", QUIET))
            return Text(word, style=style)
        struck = Text(f"✗ {self.strikes} of {most}, " if self.strikes else "", style=BAD)
        doing = f"↻ no answer, try {self.tries + 1}," if self.tries else f"{SPINNER[int(now * _TURNS) % len(SPINNER)]} thinking"
        return struck + Text(f"{doing} {_time(now - self.since)}", style="yellow" if self.tries else "")


def _time(seconds: float) -> str:
    whole = max(0, int(seconds))
    return f"{whole} s" if whole < 100 else f"{whole // 60}:{whole % 60:02} min"


@dataclass(frozen=True, slots=True)
class SeatStates:
    """Every seat with what it is doing, in as many columns as there is room for."""

    seats: Sequence[SeatState]
    now: float
    strikes: int
    out: Sequence[bool]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        cells = [
            seat_text(seat) + Text(" ") + state.words(self.now, self.strikes, self.out[seat])
            for seat, state in enumerate(self.seats)
        ]
        column = max(_LEAST, *(cell_len(cell.plain) for cell in cells)) + _GAP
        per_row = max(1, (options.max_width + _GAP) // column)
        for start in range(0, len(cells), per_row):
            yield _row(cells[start : start + per_row], column)


_LEAST = len("P-0 ⠋ thinking 99 s")


def _row(cells: Sequence[Text], column: int) -> Text:
    line = Text(no_wrap=True)
    for cell in cells:
        cell.pad_right(column - cell_len(cell.plain))
        line += cell
    line.rstrip()
    return line
