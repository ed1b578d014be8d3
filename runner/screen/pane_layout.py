"""Pane layout: title, table, story, minds and seats of a match in panes that depend on the size of the terminal alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.layout import Layout
from rich.panel import Panel
from rich.rule import Rule
from rich.segment import Segment, SegmentLines
from rich.text import Text

from games.core import Game
from games.scenes import Heading, script_of
from runner.match.tally import Tally
from runner.screen.palette import QUIET, TITLE
from runner.screen.scene_parts import GROWN
from runner.screen.scene_rich import LEAST_TABLE, Lines
from runner.screen.seat_states import SeatStates
from runner.screen.story import Story

_WIDE, CHART_WIDTH = 110, 180
"""Columns from which the story is beside the table, and from which the minds and a chart are beside the story."""
_TABLE, _GROWN_TABLE = 0.6, 0.62
"""Parts of the width that the table takes there, and where boards are large."""
_BELOW, _LEAST_BELOW = 0.3, 4
"""The part of the height below the table where everything is in one column, and its fewest lines."""
_MINDS = 0.28
_LEAST_WITH_STORY, _LOW, _ABOVE = 20, 30, 6
"""Lines of a terminal with a story above the table, and of a low one; of how many lines such a story has one."""
_BORDER = 2


@dataclass(frozen=True, slots=True)
class MenuPane:
    """What a person is asked, in the largest of its forms that fits, and below it `note`. `is_page`: it takes all the room.
    `hints` are the keys of its commands; `has_choices`: it has the cards that are chosen from, so the table need not.
    `rows`: the lines below it in which the person types."""

    forms: Sequence[RenderableType]
    note: RenderableType | None = None
    is_page: bool = False
    hints: Sequence[str] = ()
    has_choices: bool = False
    rows: int = 1

    def lines(self, console: Console, options: ConsoleOptions, most: int, spare: int) -> Lines:
        """Its lines, at most this many; its note has `spare` lines of what is above, so that no choice is cut for it."""
        note = [] if self.note is None else console.render_lines(self.note, options)
        most += min(spare, len(note))
        for form in self.forms:
            if len(lines := console.render_lines(form, options)) + len(note) <= most:
                break
        return [*lines[: max(1, most - len(note))], *note][:most]


@dataclass(frozen=True, slots=True)
class MatchPanes:
    """The whole terminal: the title, the body, what the seats are doing, the last line. `asked`: the lines in which a
    person types, who needs those of the seats too on a low terminal; 0 where nobody is asked."""

    title: RenderableType
    body: RenderableType
    seats: SeatStates
    footer: RenderableType
    asked: int = 0

    def _rows(self, width: int, height: int) -> int:
        return 0 if self.asked and height < _LOW else self.seats.rows(width)

    def typing(self, size: tuple[int, int]) -> range:
        """The rows in place of the last lines of the body where a person types, on a terminal of this width and height."""
        end = max(3, size[1] - self._rows(*size))
        return range(max(2, end - self.asked), end)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, rows = options.max_width, self._rows(options.max_width, options.height or options.max_height)
        height = max(1, (options.height or options.max_height) - rows - 2)
        title, seats, footer = (
            console.render_lines(part, options.update_dimensions(width, size))
            for part, size in ((self.title, 1), (self.seats, rows), (self.footer, 1))
        )
        yield SegmentLines(title, new_lines=True)
        yield from console.render(self.body, options.update_dimensions(width, height))
        yield SegmentLines([*(seats if rows else []), *footer], new_lines=True)


@dataclass(frozen=True, slots=True)
class MatchBody:
    """The table and the story. What happened and what players think and say has a pane each, or one where the terminal is
    narrow; there it is above the table where a person plays (`is_played`), so that no question moves either. `has_minds`: the
    match has thoughts or talk. `chart` has `chart_rows` lines; it is drawn on the widest terminals."""

    table: RenderableType
    story: Story
    has_minds: bool
    chart: RenderableType | None = None
    chart_rows: int = 0
    menu: MenuPane | None = None
    chart_title: str = ""
    is_played: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or options.max_height
        body = Layout()
        if self.menu is not None:
            yield from console.render(self._with_menu(console, options, self.menu, width, height), options)
            return
        story, minds = _framed(self.story.newest(False), "Story"), _framed(self.story.newest(True), "Thoughts and talk")
        if width >= CHART_WIDTH:
            side, told = Layout(), Layout()
            body.split_row(_framed(self.table, "Table", _table_width(width)), side)
            chart = [_framed(self.chart, self.chart_title, self.chart_rows + _BORDER)] if self.chart else []
            side.split_column(told, *chart)
            told.split_column(story, *([minds] if self.has_minds else []))
        elif width >= _WIDE:
            upper, minds.size = Layout(), round(height * _MINDS)
            body.split_column(upper, *([minds] if self.has_minds else []))
            upper.split_row(_framed(self.table, "Table", _table_width(width)), story)
        elif self.is_played and self._told(console):
            body.split_column(*self._below_story(console))
        else:
            below = min(max(_LEAST_BELOW, int(height * _BELOW)), max(1, height - 1))
            body.split_column(Layout(self.table), _rule("Story"), Layout(self.story.newest(), size=max(1, below - 1)))
        yield from console.render(body, options)  # what is yielded forgets its height

    @staticmethod
    def _told(console: Console) -> int:
        """The lines of the story above a table and of the rule between them: the same whether something is asked or not."""
        return max(_LEAST_BELOW, console.height // _ABOVE) if console.height >= _LEAST_WITH_STORY else 0

    def _below_story(self, console: Console) -> tuple[Layout, Layout, Layout]:
        return Layout(self.story.newest(), size=self._told(console) - 1), _rule("Table"), Layout(self.table)

    def _with_menu(self, console: Console, options: ConsoleOptions, menu: MenuPane, width: int, height: int) -> Layout:
        """The table, beside or above it the story, and what a person is asked; the last line stays blank for what is typed."""
        body, is_wide = Layout(), width >= _WIDE
        told = 0 if is_wide or menu.is_page else self._told(console)
        below = height - menu.rows
        most = below if menu.is_page else max(1, below - min(height // 2, LEAST_TABLE) - told)
        if told:  # lines that the table does not need are the menu's
            table = console.render_lines(self.table, options.update_dimensions(width, below - most - told))
            most += sum(1 for _ in takewhile(lambda line: not "".join(one.text for one in line).strip(), reversed(table)))
        lines = menu.lines(console, options.update(width=width, height=None), most, max(0, below - most - told) // 2)
        upper, pane = Layout(), Layout(SegmentLines(lines, new_lines=True), size=len(lines))
        if menu.is_page:
            lines += [[Segment(" " * width)]] * (most - len(lines))
            pane = Layout(SegmentLines(lines, new_lines=True), size=len(lines))
        left = below - len(lines)
        if is_wide and left >= LEAST_TABLE:
            upper.split_row(_framed(self.table, "Table", _table_width(width)), _framed(self.story.newest(), "Story"))
        elif told and left > told:
            upper.split_column(*self._below_story(console))
        else:
            upper.update(self.table)
        body.split_column(*([] if menu.is_page or not left else [upper]), pane, Layout(Text(" "), size=menu.rows))
        return body


def _rule(title: str) -> Layout:
    return Layout(Rule(Text(title, style=TITLE), align="left", style=QUIET), size=1)


def _table_width(width: int) -> int:
    return round(width * (_GROWN_TABLE if width >= GROWN else _TABLE))


def _framed(part: RenderableType, title: str, size: int | None = None) -> Layout:
    return Layout(Panel(part, title=Text(title, style=TITLE), title_align="left", border_style=QUIET), size=size)


@dataclass(frozen=True, slots=True)
class TablePane:
    """The table from the top, `bars` from the bottom with a blank line above; a table that is too high is cut, and says so."""

    table: RenderableType
    bars: RenderableType | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or options.max_height
        free = options.update(width=width, height=None)
        blank = [Segment(" " * width)]
        bars = [] if self.bars is None else [blank, *console.render_lines(self.bars, free)]
        bars = bars if len(bars) * 3 < height else []
        free.max_height = max(1, height - len(bars))
        table = _cut(console, free, console.render_lines(self.table, free), height - len(bars))
        yield SegmentLines([*table, *[blank] * (height - len(table) - len(bars)), *bars], new_lines=True)


def _cut(console: Console, options: ConsoleOptions, lines: Lines, height: int) -> Lines:
    if len(lines) <= height:
        return lines
    kept = max(0, height - 1)
    note = Text(f"… {len(lines) - kept} lines do not fit …", style=QUIET, no_wrap=True)
    return [*lines[:kept], *console.render_lines(note, options)]


_BETWEEN = " · "


def spent(tallies: list[Tally], budget: float | None = None) -> str:
    """Tokens and cost so far, and the budget in USD; empty when nothing was spent and there is no budget."""
    tokens = sum(tally.prompt_tokens + tally.completion_tokens for tally in tallies)
    cost = sum(tally.cost for tally in tallies)
    if not tokens and budget is None:
        return ""
    return f"{tokens:,} tokens, ${cost:.4f}" + ("" if budget is None else f" of ${budget:.2f}")


def elapsed(seconds: float) -> str:
    """A time as minutes and seconds, with hours from one hour."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@dataclass(frozen=True, slots=True)
class Header:
    """Game, round, phase, seed and `facts` on one line where they fit beside the game's longest phase; at the right edge the
    longest of the texts about keys that fits. `seed` is for the view of all alone: anyone can deal the match again from it."""

    game: Game
    heading: Heading
    facts: str = ""
    seed: int | None = None
    keys: tuple[Text, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, line = options.max_width, self._where(self.heading)
        line.no_wrap, line.overflow = True, "ellipsis"
        titles = script_of(self.game).titles
        longest = max((titles.get(phase.id, phase.name) for phase in self.game.phases), key=cell_len)
        used = self._where(self.heading._replace(phase=longest)).cell_len
        for fact in filter(None, ("" if self.seed is None else f"seed {self.seed}", self.facts)):
            if used + cell_len(_BETWEEN + fact) <= width:
                line.append(_BETWEEN + fact, QUIET)
                used += cell_len(_BETWEEN + fact)
        keys = next((text for text in self.keys if used + len(_BETWEEN) + text.cell_len <= width), Text())
        line.pad_right(max(0, width - line.cell_len - keys.cell_len))
        yield line.append_text(keys)

    def _where(self, heading: Heading) -> Text:
        return Text.assemble((self.game.title, TITLE), (f"{_BETWEEN}{heading}", "bold cyan"))
