"""Pane layout: title, table, story, minds and seats of a match in panes that depend on the size of the terminal alone."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.layout import Layout
from rich.panel import Panel
from rich.rule import Rule
from rich.segment import Segment
from rich.text import Text

from runner.screen.palette import QUIET, TITLE

_WIDE, CHART_WIDTH = 110, 180
"""Columns from which the story is beside the table, and from which the minds and a chart are beside the story."""
_TABLE, _TABLE_OF_WIDEST = 0.6, 0.5
"""Parts of the width that the table takes there."""
_BELOW, _LEAST_BELOW = 0.3, 4
"""The part of the height below the table where everything is in one column, and its fewest lines."""
_MINDS = 0.28
_BORDER = 2

Rows = list[Layout]


@dataclass(frozen=True, slots=True)
class MatchPanes:
    """The whole terminal. `story` and `minds` are shown each in its pane, or `mixed` in one where the terminal is narrow.

    `seats` takes `seat_rows` lines, `footer` one. `minds` None: the match has no thoughts and no talk. `chart` is drawn
    below story and minds on the widest terminals, in `chart_rows` lines.
    """

    title: RenderableType
    table: RenderableType
    story: RenderableType
    minds: RenderableType | None
    mixed: RenderableType
    seats: RenderableType
    seat_rows: int
    footer: RenderableType
    chart: RenderableType | None = None
    chart_rows: int = 0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or options.max_height
        page = Layout()
        body = Layout(size=max(1, height - self.seat_rows - 2))
        page.split_column(Layout(self.title, size=1), body, *self._bottom())
        if width >= CHART_WIDTH:
            self._fill_widest(body, width)
        elif width >= _WIDE:
            self._fill_wide(body, width, body.size or 1)
        else:
            self._fill_narrow(body, body.size or 1)
        yield page

    def _bottom(self) -> Rows:
        return [*([Layout(self.seats, size=self.seat_rows)] if self.seat_rows else []), Layout(self.footer, size=1)]

    def _fill_widest(self, body: Layout, width: int) -> None:
        side, told = Layout(), Layout()
        body.split_row(Layout(_framed(self.table, "Table"), size=round(width * _TABLE_OF_WIDEST)), side)
        chart = [Layout(_framed(self.chart, "Share of the win"), size=self.chart_rows + _BORDER)] if self.chart else []
        side.split_column(told, *chart)
        minds = [] if self.minds is None else [Layout(_framed(self.minds, "Thoughts and talk"))]
        told.split_row(Layout(_framed(self.story, "Story")), *minds)

    def _fill_wide(self, body: Layout, width: int, height: int) -> None:
        upper = Layout()
        minds = [] if self.minds is None else [Layout(_framed(self.minds, "Thoughts and talk"), size=round(height * _MINDS))]
        body.split_column(upper, *minds)
        upper.split_row(Layout(_framed(self.table, "Table"), size=round(width * _TABLE)), Layout(_framed(self.story, "Story")))

    def _fill_narrow(self, body: Layout, height: int) -> None:
        below = min(max(_LEAST_BELOW, int(height * _BELOW)), max(1, height - 1))
        rule = Rule(Text("Story", style=TITLE), align="left", style=QUIET)
        body.split_column(Layout(self.table), Layout(rule, size=1), Layout(self.mixed, size=max(1, below - 1)))


def _framed(part: RenderableType, title: str) -> Panel:
    return Panel(part, title=Text(title, style=TITLE), title_align="left", border_style=QUIET)


class Cached:
    """A renderable that is drawn again only for another size."""

    def __init__(self, part: RenderableType) -> None:
        self._part = part
        self._size: tuple[int, int | None, int] | None = None
        self._drawn: list[Segment] = []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        size = (options.max_width, options.height, options.max_height)
        if size != self._size:
            self._drawn, self._size = [*console.render(self._part, options)], size
        yield from self._drawn
