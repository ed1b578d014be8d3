"""Win shares: shares of the win as a percentage, as a bar for each seat, and as a line of bars over a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from runner.screen.palette import QUIET, seat_style, seat_text

_HEIGHTS = " ▁▂▃▄▅▆▇█"
_FULL, _EMPTY = "█", "·"
_LINE_LABELS = len("P-0  100 %")
_LABELS = _LINE_LABELS + 2
_SHORTEST_BAR, _LONGEST_BAR = 4, 30
_WIDEST_COLUMN = 4
_MOST_COLUMNS = 400


def percent(share: float | None) -> str:
    """A share in percent; empty for None."""
    return "" if share is None else f"{100 * share:.0f} %"


def signed(share: float | None) -> str:
    """A difference of shares in percent, with its sign; empty for None."""
    return "" if share is None else f"{100 * share:+.0f} %"


def share_bars(shares: Sequence[float], width: int) -> list[Text]:
    """Each seat's share of the win as a bar, the seats beside one another in `width` columns, in two lines if need be."""
    in_a_row = max(1, width // _LABELS)
    rows = [range(start, min(start + in_a_row, len(shares))) for start in range(0, len(shares), in_a_row)]
    cell = width // min(in_a_row, len(shares))
    return [Text().join(_cell(seat, shares[seat], cell) for seat in row) for row in rows]


def _cell(seat: int, share: float, width: int) -> Text:
    room = min(_LONGEST_BAR, width - _LABELS)
    room = 0 if room < _SHORTEST_BAR else room
    full = round(share * room)
    bar = Text(_FULL * full, style=seat_style(seat)) + Text(_EMPTY * (room - full), style=QUIET)
    cell = seat_text(seat) + Text(" ") + bar + Text(f" {percent(share):>5}")
    cell.pad_right(max(0, width - cell.cell_len))
    return cell


@dataclass(frozen=True, slots=True)
class ShareBars:
    """Each seat's share of the win as a bar below a title."""

    shares: Sequence[float]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("Share of the win", style=QUIET)
        yield from share_bars(self.shares, options.max_width)


class ShareChart:
    """A line of bars for each seat: its share of the win before each decision. It takes the width that there is."""

    def __init__(self, chances: Sequence[Sequence[float]]) -> None:
        self._chances = chances

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        count = len(self._chances)
        room = min(_MOST_COLUMNS, max(1, options.max_width - _LINE_LABELS))
        widest = _WIDEST_COLUMN if console.is_terminal else 1
        columns = count * min(widest, room // count) if count <= room else room
        for seat in range(len(self._chances[0])):
            shares = [self._chances[column * count // columns][seat] for column in range(columns)]
            bars = "".join(_HEIGHTS[round(share * (len(_HEIGHTS) - 1))] for share in shares)
            yield seat_text(seat) + Text(f" {bars} {percent(self._chances[-1][seat]):>5}", style=seat_style(seat))
