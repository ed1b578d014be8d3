"""Seat states: what every seat is doing, as a sign and words, the same in all games."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from runner.match.records import AttemptRecord
from runner.screen.palette import BAD, GOOD, QUIET, player_text

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TURNS = 8
"""How many steps of the spinner a second has."""
_GAP = 2
_UNDELIVERED = ("infrastructure", "configuration")
_SAID = {
    "answer": ("✓ answered", GOOD),
    "forced": ("· no choice", QUIET),
    "moot": ("· not needed", QUIET),
    "strike_out": ("✗ struck out", BAD),
}


@dataclass(slots=True)
class SeatState:
    """What a seat is doing: `since` is when it was asked (seconds, monotonic; None: it is not), `how` the outcome. `strikes`
    counts its invalid answers to the question, `tries` the requests that brought none. `most` invalid answers bring the
    penalty, None: as many as the rules say. `done` is the part, from 0 to 1, of its work on the answer, None: unknown."""

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
        if record["outcome"] == "answer":
            self.decide("answer")

    def decide(self, how: str) -> None:
        """It has decided, or was struck out."""
        self.since, self.how = None, how

    def rest(self) -> None:
        """Clear the outcome: it was shown, and something else has begun."""
        if self.since is None:
            self.how, self.strikes = "", 0

    def told(self, now: float, most: int, is_short: bool = False) -> Text:
        """The sign and the words, or in as few letters as can be; `most` invalid answers bring the penalty by the rules."""
        if self.since is None:
            return Text(*_SAID.get(self.how, ("·", QUIET)))
        whole = max(0, int(now - self.since))
        far = f"{whole} s" if whole < 100 else f"{whole // 60}:{whole % 60:02} min"
        far = far if self.done is None else f"{min(99, int(100 * self.done))} %"
        strikes = f"✗{self.strikes}" if is_short else f"✗ {self.strikes} of {self.most or most},"
        struck = Text(f"{strikes} " if self.strikes else "", style=BAD)
        sign = f"↻{self.tries + 1}" if self.tries else SPINNER[int(now * _TURNS) % len(SPINNER)]
        doing = sign if is_short else f"↻ no answer, try {self.tries + 1}," if self.tries else f"{sign} thinking"
        return struck + Text(doing if is_short and self.strikes else f"{doing} {far}", style="yellow" if self.tries else "")


@dataclass(frozen=True, slots=True)
class SeatStates:
    """Every seat with what it is doing, in cells of one width: in words where they fit their cell, else in signs. `names` are
    those of the players, cut where there is little room. The number of rows depends on the width and the number of seats alone,
    so that nothing moves while the match runs."""

    seats: Sequence[SeatState]
    now: float
    strikes: int
    out: Collection[int]
    names: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = self._columns(options.max_width)
        room = options.max_width // columns - _GAP
        cells = [self._cell(seat, self._room_of_names(room), room) for seat in range(len(self.seats))]
        for start in range(0, len(cells), columns):
            row = Text.assemble(*cells[start : start + columns], no_wrap=True)
            row.rstrip()
            yield row

    def rows(self, width: int) -> int:
        """The number of lines: two at most where the words of every seat, else its sign, leave the room."""
        return -(-len(self.seats) // self._columns(width))

    def _columns(self, width: int) -> int:
        for least in (_WORDS, _SIGN):
            for rows in (1, 2):
                if (columns := -(-len(self.seats) // rows)) * (_SEAT + least + _GAP) <= width + _GAP:
                    return columns
        return max(1, width // (_SEAT + _SIGN + _GAP))

    def _room_of_names(self, room: int) -> int:
        """The columns of a name that leave every state its words, or else its sign."""
        longest, with_words, with_sign = max(map(cell_len, self.names)), room - _WORDS - 1, room - _SIGN - 1
        return longest if longest <= with_words else max(min(longest, with_sign), _SEAT - 1)

    def _cell(self, seat: int, most: int, room: int) -> Text:
        name = player_text(seat, self.names, min(most, cell_len(self.names[seat])))
        state, left, is_out = self.seats[seat], room - name.cell_len - 1, seat in self.out
        told = Text("† out", style=QUIET) if is_out else state.told(self.now, self.strikes)
        if told.cell_len > left and not is_out:
            told = state.told(self.now, self.strikes, is_short=True)
        told.truncate(max(0, left), overflow="ellipsis")
        cell = Text.assemble(name, " ", told)
        cell.pad_right(room + _GAP - cell.cell_len)
        return cell


_SEAT, _WORDS, _SIGN = len("P-0 "), len("⠋ thinking 99 s"), len("⠋ 99 s")
