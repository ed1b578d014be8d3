"""Seat states: what every seat is doing, as a sign and words, the same in all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from games.core import seat_name
from runner.match.records import AttemptRecord
from runner.screen.palette import BAD, GOOD, QUIET, seat_style

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
    """What a seat is doing: `since` is when it was asked (seconds, monotonic; None: it is not), `how` the outcome.

    `strikes` counts its invalid answers to the question, `tries` the requests that brought none. `most` invalid answers bring
    the penalty, None: as many as the rules say. `done` is the part, from 0 to 1, of its work on the answer, None: unknown.
    """

    since: float | None = None
    how: str = ""
    strikes: int = 0
    tries: int = 0
    most: int | None = None
    done: float | None = None

    def ask(self, now: float, most: int | None = None) -> None:
        """It has been asked."""
        self.since, self.how, self.strikes, self.tries, self.most, self.done = now, "", 0, 0, most, None

    def attempt(self, record: AttemptRecord) -> None:
        """It has given an answer, or its endpoint has not."""
        self.strikes += record["outcome"] == "mistake"
        self.tries = self.tries + 1 if record["outcome"] in _UNDELIVERED else 0

    def decide(self, how: str) -> None:
        """It has decided, or was struck out."""
        self.since, self.how = None, how

    def rest(self) -> None:
        """Clear the outcome: it was shown, and something else has begun."""
        if self.since is None:
            self.how, self.strikes = "", 0

    def words(self, now: float, most: int, is_out: bool) -> Text:
        """The sign and the words, `most` being the invalid answers that bring the penalty by the rules."""
        if is_out:
            return Text("† out", style=QUIET)
        if self.since is None:
            word, style = _SAID.get(self.how, ("·", QUIET))
            return Text(word, style=style)
        struck = Text(f"✗ {self.strikes} of {self.most or most}, " if self.strikes else "", style=BAD)
        doing = f"↻ no answer, try {self.tries + 1}," if self.tries else f"{_spinner(now)} thinking"
        return struck + Text(f"{doing} {self._far(now - self.since)}", style="yellow" if self.tries else "")

    def sign(self, now: float, most: int, is_out: bool) -> Text:
        """The same in as few letters as can be."""
        if is_out or self.since is None:
            return self.words(now, most, is_out)
        struck = Text(f"✗{self.strikes} " if self.strikes else "", style=BAD)
        doing = f"↻{self.tries + 1}" if self.tries else _spinner(now)
        return struck + Text(f"{doing} {self._far(now - self.since)}", style="yellow" if self.tries else "")

    def _far(self, seconds: float) -> str:
        return _time(seconds) if self.done is None else f"{min(99, int(100 * self.done))} %"


def _spinner(now: float) -> str:
    return SPINNER[int(now * _TURNS) % len(SPINNER)]


def _time(seconds: float) -> str:
    whole = max(0, int(seconds))
    return f"{whole} s" if whole < 100 else f"{whole // 60}:{whole % 60:02} min"


@dataclass(frozen=True, slots=True)
class SeatStates:
    """Every seat with what it is doing, side by side, on two lines at most: in words, else in signs.

    `names` are the given names by seat, empty for none. They stand beside the seat, else in its place, else they are left out.
    """

    seats: Sequence[SeatState]
    now: float
    strikes: int
    out: Sequence[bool]
    names: Sequence[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        found: list[Text] = []
        for names, told, least in self._layouts():
            found = _rows(self._cells(names, told), least, options.max_width)
            if len(found) <= _MOST_ROWS:
                break
        yield from found

    def _layouts(self) -> Iterator[tuple[list[str], _Told, int]]:
        """The names beside the states, how the states are told, and the least width of both; the widest layout first."""
        seats = [seat_name(seat) for seat in range(len(self.seats))]
        given = [*self.names, *([""] * len(seats))][: len(seats)]
        short = [name or seat for name, seat in zip(given, seats, strict=True)]
        both = [f"{name} ({seat})" if name else seat for name, seat in zip(given, seats, strict=True)]
        yield from ((both, SeatState.words, _LEAST), (short, SeatState.words, _LEAST))
        yield from ((short, SeatState.sign, _LEAST_OF_SIGN), (seats, SeatState.sign, _LEAST_OF_SIGN))

    def _cells(self, names: Sequence[str], told: _Told) -> list[Text]:
        return [
            Text(name, style=f"bold {seat_style(seat)}") + " " + told(state, self.now, self.strikes, self.out[seat])
            for seat, (name, state) in enumerate(zip(names, self.seats, strict=True))
        ]


_Told = Callable[[SeatState, float, int, bool], Text]
_LEAST, _LEAST_OF_SIGN = len("P-0 ⠋ thinking 99 s"), len("P-0 ⠋ 99 s")
_MOST_ROWS = 2


def _rows(cells: Iterable[Text], least: int, width: int) -> list[Text]:
    """The cells, each of them padded to the least width, in as many rows as it takes."""
    rows = [Text(no_wrap=True)]
    for cell in cells:
        cell.pad_right(least - cell.cell_len)
        if len(rows[-1]) and rows[-1].cell_len + _GAP + cell.cell_len > width:
            rows.append(Text(no_wrap=True))
        rows[-1] += Text(" " * _GAP if len(rows[-1]) else "") + cell
    for row in rows:
        row.rstrip()
    return rows
