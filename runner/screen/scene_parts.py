"""Parts of a scene in a terminal: phrases in its colours, boards, rows of cards and stacks, tables, players as one of these."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import zip_longest

from rich import box
from rich.align import Align
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.style import Style
from rich.table import Table as RichTable
from rich.text import Text

from games.core import scene
from runner.screen import palette
from runner.screen.palette import TITLE, Marks, name_beside, player_text, seat_style
from runner.screen.safe_text import clean, plain

UNKNOWN, TOKEN = "▒", "●"
_STYLES = {scene.STRONG: TITLE, scene.QUIET: palette.QUIET, scene.GOOD: palette.GOOD, scene.BAD: palette.BAD, scene.CODE: ""}
_STYLES |= {colour: colour for colour in ("red", "blue", "yellow", "green")}
_BAR, _DISCS = 20, 15


def phrase_text(phrase: scene.Phrase, is_short: bool = False, style: str = "", called: Sequence[str] = ()) -> Text:
    """A phrase in the colours of a terminal, on top of a style."""
    text = Text(style=style)
    for said, tone in scene.tones_of(phrase, called, is_short):
        text.append(clean(said), tone_style(tone))
    return text


def tone_style(tone: str) -> str:
    """The style of a tone; of a seat's tone or a name its colour."""
    kind, _, seat = tone.partition(" ")
    if kind in ("seat", "name") and seat:
        return f"{'bold ' * (kind == 'name')}{seat_style(int(seat))}"
    return _STYLES.get(seat, TITLE) if kind == "card" else _STYLES.get(tone, "")


def counter_text(counter: scene.Counter, seat: int) -> Text:
    """A counter of a seat with its row of things or its bar."""
    text = phrase_text((counter,))
    if counter.of is None:
        text.append(f" {TOKEN * min(counter.value, _DISCS - 3)}", seat_style(seat)).pad_right(_DISCS - text.cell_len)
        return text
    filled = max(0, min(_BAR, round(_BAR * counter.value / max(1, counter.of))))
    return text.append(" ").append("━" * filled, seat_style(seat)).append("─" * (_BAR - filled), palette.QUIET)


def titled(title: scene.Phrase, *below: RenderableType, called: Sequence[str] = ()) -> Group:
    """Lines below a title, if there is one."""
    rule = Rule(phrase_text(title, style=TITLE, called=called), align="left", style=palette.QUIET)
    return Group(*([rule] if title else []), *below)


GROWN = 160
"""Columns of a terminal from which boards and cards are drawn large."""
_CELL, _COMPACT_CELL, _LARGE_CELL = 4, 3, 5
_LISTED = 20
_UNDER, _CURRENT = "└", "▶"

# -- boards ----------------------------------------------------------------------------------------------------------


def _heading_width(part: scene.Grid) -> int:
    return max(phrase_text(part.title).cell_len, *(cell_len(clean(name.text)) + 1 for name, _ in part.rows))


def grid_width(part: scene.Grid, is_large: bool = False) -> int:
    """The columns of a board with borders."""
    return _heading_width(part) + 2 + len(part.columns) * ((_LARGE_CELL if is_large else _CELL) + 1)


def board(part: scene.Grid, marks: Marks, lines: int, width: int) -> RenderableType:
    """The board with this many lines a cell, large from two on. A compact one, with 0 and where there is no room, has no
    borders, and of each seat one letter; one that is still too wide is continued below."""
    is_large = lines > 1 and grid_width(part, True) <= width
    is_compact = not lines or (lines == 1 and grid_width(part) > width)
    size = _COMPACT_CELL if is_compact else _LARGE_CELL if is_large else _CELL
    per_row = max(1, (width - _heading_width(part)) // size) if is_compact else len(part.columns)
    boards = []
    for start in range(0, len(part.columns), per_row):
        grid = RichTable(
            box=None if is_compact else box.SQUARE,
            padding=0,
            header_style=palette.QUIET,
            border_style=palette.QUIET,
            show_lines=is_large,
        )
        grid.add_column(phrase_text(part.title), no_wrap=True)
        for title in part.columns[start : start + per_row]:
            grid.add_column(clean(title), justify="center", width=size, no_wrap=True)
        for name, cells in part.rows:
            style = Style.parse(tone_style(name.tone))
            below, above = "\n" * is_large, "\n" * (is_large and lines > 2)
            drawn = [Text(above) + _cell(cell, marks, style, is_compact, below) for cell in cells[start : start + per_row]]
            grid.add_row(Text(f"{above} {clean(name.text)}", style=style + Style(bold=True)), *drawn)
        boards.append(grid)
    return Group(*boards)


def _cell(cell: scene.Cell, marks: Marks, style: Style, is_compact: bool, below: str) -> Text:
    """Who holds it and its mark; `below`: what brings the mark to a line of its own."""
    sign = cell.mark.sign if cell.mark else ""
    if cell.is_blocked:
        return Text(UNKNOWN if is_compact else f"{UNKNOWN * 3}{below}", style=palette.QUIET)
    if cell.owner is None:
        return Text(f"{sign or '·'}{below}", style=style)
    owner = (marks.letters if is_compact else marks.short)[cell.owner]
    return Text(f"{owner}{below}{sign:1}", style=Style.parse(seat_style(cell.owner)) + Style(bold=True, reverse=bool(sign)))


# -- cards -----------------------------------------------------------------------------------------------------------

_TALL = 7
"""Letters of a card in a row."""
LEAST_ROW = 3 * (_TALL + 2)
"""Columns of the narrowest row of cards."""
_TEXT_CARD, _MOST_BESIDE = 38, 3
"""Columns of a card of words at least, and the most cards side by side."""


def card_row(part: scene.CardRow, width: int, names: Sequence[str], covered: int) -> RenderableType:
    """A card for each stack, with this number of lines for the cards that it covers, in one row while there is room. A queue
    that is empty keeps its lines."""
    lines = 4 + covered if part.empty else 3
    if not part.stacks:
        return titled(part.title, plain(part.empty, palette.QUIET), *[""] * (lines + 1), called=names)
    cards, per_row = [_card(stack, names, lines) for stack in part.stacks], max(1, width // (_TALL + 2))
    rows = (in_a_row(cards[start : start + per_row]) for start in range(0, len(cards), per_row))
    return titled(part.title, *rows, called=names)


def in_a_row(parts: Iterable[RenderableType], gap: int = 0) -> RichTable:
    """Parts side by side."""
    grid = RichTable.grid(padding=(0, gap, 0, 0))
    grid.add_row(*parts)
    return grid


def _card(stack: scene.Stack, names: Sequence[str], most: int) -> Panel:
    """A stack: its place, its owner, the picture and the name of the top card with its tokens, the cards that it covers."""
    top, owner, style = stack.cards[0], Text(), ""
    if top.owner is not None:
        style, owner = seat_style(top.owner), player_text(top.owner, names, min(_TALL, cell_len(clean(names[top.owner]))))
    how = tone_style(f"card {top.tone}") if top.tone else f"{'bold' if top.state == scene.UP else 'italic'} {style}"
    known = (clean(top.sign), _cut(top, _TALL)) if top.name else (UNKNOWN * _TALL,) * 2
    below = [_covered(card) for card in stack.cards[1:]]
    kept = len(below) if len(below) <= most - 4 else max(0, most - 5)
    below = [*below[:kept], *[f"{_UNDER}+{len(below) - kept}"] * (kept < len(below))]
    tokens = TOKEN * top.tokens if top.tokens <= _TALL else f"{top.tokens}{TOKEN}"
    tokens, below = (f"{tokens} {''.join(below).lstrip(_UNDER)}".strip(), []) if most < 5 else (tokens, below)
    lines = [owner, *(Text(one, how) for one in known), Text(tokens or " ", style)]
    lines += [Text(one, palette.QUIET) for one in below]
    place = Text(f"{_CURRENT * stack.is_current}{clean(stack.place)}", TITLE)
    return Panel(
        Group(*(Align(line, "left" if line.plain.startswith(_UNDER) else "center") for line in lines[:most])),
        box=box.HEAVY if stack.is_current else box.ROUNDED,
        title=place if place else None,
        title_align="left",
        subtitle=None if top.state == scene.UP else UNKNOWN * 3,
        subtitle_align="right",
        border_style=style,
        padding=0,
        width=_TALL + 2,
        height=most + 2,
    )


def _covered(card: scene.Card) -> str:
    tokens = f"{card.tokens}{TOKEN}" if card.tokens else ""
    return f"{_UNDER}{UNKNOWN * 3 if card.name is None else _cut(card, _TALL - 1 - len(tokens))}{tokens}"


def _cut(card: scene.Card, room: int) -> str:
    """The name of a card, its short one, or the beginning of that."""
    name = clean(card.name)
    if cell_len(name) <= room:
        return name
    short = clean(card.short or name)
    return short if cell_len(short) <= room else f"{short[: room - 1]}…"


def text_cards(console: Console, part: scene.Texts, names: Sequence[str], least: int, has_numbers: bool, width: int) -> Group:
    """Cards in columns, `least` lines high, each with its number, its owner, its words and the votes for it. All have the same
    size, whatever is known of them."""
    rows = -(-len(part.cards) // max(1, min(_MOST_BESIDE, width // _TEXT_CARD)))
    beside = -(-len(part.cards) // rows)
    size, words = width // beside - 1, [plain(card.text) for card in part.cards]
    height = max(least, 2 + max(len(text.wrap(console, size - 4)) for text in words))

    card_of, cards = partial(Panel, title_align="left", subtitle_align="left", width=size, height=height), []
    for number, (card, text) in enumerate(zip(part.cards, words, strict=True), 1):
        head = Text(str(number) * has_numbers, TITLE)
        votes = Text(str(len(card.voters)), "green" if card.voters else palette.QUIET)
        if card.owner is not None:
            head = Text.assemble(head, " · " * bool(head), player_text(card.owner, names), " ★" * card.is_marked)
        votes = Text(" ✓").join([votes, *(player_text(seat, names) for seat in card.voters)])
        head.append(f" ← {clean(card.note)}" if card.note else "")
        style = palette.QUIET if card.owner is None else seat_style(card.owner)
        middle = Align(text, vertical="middle", height=height - 2)
        cards.append(card_of(middle, title=head, subtitle=votes if card.has_votes or card.voters else None, border_style=style))
    title = [phrase_text(part.title, style=TITLE, called=names)] * (part.holder is not None)
    return Group(*title, *(in_a_row(cards[start : start + beside], 1) for start in range(0, len(cards), beside)))


def listed_row(part: scene.CardRow, marks: Marks, width: int) -> RenderableType:
    """A cell for each stack: its place and owner, the top card with a sign if it is hidden, how many cards it covers."""
    cells = []
    for stack in part.stacks:
        top = stack.cards[0]
        name = UNKNOWN * 3 if top.name is None else clean(top.short or top.name)
        owner, style = ("", "") if top.owner is None else (marks.short[top.owner], seat_style(top.owner))
        cell = Text.assemble(
            (f"{_CURRENT * stack.is_current}{clean(stack.place)}".rjust(3), TITLE),
            (f" {owner}{UNKNOWN if top.state == scene.DOWN else ' '}{name}{f'{top.tokens}{TOKEN}' * bool(top.tokens)}", style),
            (f"+{len(stack.cards) - 1}" if len(stack.cards) > 1 else "", palette.QUIET),
        )
        cell.truncate(_LISTED, overflow="ellipsis", pad=True)
        cells.append(cell)
    per_row, gap = max(1, width // _LISTED), Text("", no_wrap=True)
    return titled(part.title, *(gap.join(cells[start : start + per_row]) for start in range(0, len(cells), per_row)))


# -- tables ----------------------------------------------------------------------------------------------------------

_SIGNS = {scene.ACTIVE: ("▶", TITLE), scene.WINS: ("★", palette.GOOD)}
_SIGN, _LEAST_TEXT = 3, 8
_LONGEST_NAME, _SHORTEST_NAME, _NAME_BESIDE = 30, 4, 16


class TablePart:
    """A table fitted to a width: columns with a rank, whole words and whole titles are shown only if there is room.
    `has_marks`: other parts call players by marks that are no names, so that these stand before the names."""

    def __init__(
        self, console: Console, names: Sequence[str], part: scene.Table, wraps: bool, marks: Marks, has_marks: bool
    ) -> None:
        self._console, self._part, self._wraps = console, part, wraps
        seats = [row.seat for row in part.rows if row.seat is not None]
        longest = [cell_len(name_beside(seat, names)) for seat in seats if part.has_names]
        self._longest = min(_LONGEST_NAME, max(longest, default=0))
        self._marks, self._has_marks = marks, has_marks or not self._longest
        self._names = [name_beside(seat, names) for seat in range(len(names))] if self._has_marks else names
        self._long = [[_long(cell, row.seat or 0, marks) for cell in row.cells] for row in part.rows]
        self._short = [[phrase_text(cell, True, called=marks.short) for cell in row.cells] for row in part.rows]
        self._widths = {True: _widths(self._long, part), False: _widths(self._short, part)}
        self._heads = [phrase_text(column.title, called=marks.short) for column in part.columns]
        self._lead = ([1] * part.has_names + [3] * self._has_marks) if seats else []

    @property
    def least(self) -> int:
        """The width of its smallest form, with names that can be told apart."""
        least = self._total([place for place, column in enumerate(self._part.columns) if not column.rank], False, False)
        return least - max(0, self._longest - _NAME_BESIDE)

    def _size(self, place: int, is_long: bool, has_titles: bool) -> int:
        column = self._part.columns[place]
        if column.short and not is_long:
            return min(_SIGN, len(column.short))
        if column.least:
            return column.least
        content = column.width or self._widths[is_long][place]
        return content if column.short and not has_titles else max(content, self._heads[place].cell_len)

    def _total(self, shown: Sequence[int], is_long: bool, has_titles: bool) -> int:
        sizes = [self._size(place, is_long, has_titles) for place in shown]
        sizes += [*self._lead, *([self._longest] if self._longest else [])]
        return sum(sizes) + len(sizes) - 1

    def drawn(self, width: int, room: int, fills: bool) -> RenderableType:
        """The table, with the legend of its short words; `fills`: one that grows takes the room that there is."""
        part = self._part
        shown = [place for place, column in enumerate(part.columns) if not column.rank]
        is_long = has_titles = False
        ranked = [(column.rank, place) for place, column in enumerate(part.columns) if column.rank]
        for _, place in sorted([*ranked, (1.5, -1), (9.0, -2)]):
            more = sorted([*shown, place]) if place >= 0 else shown
            if self._total(more, is_long or place == -1, has_titles or place == -2) <= width:
                shown, is_long, has_titles = more, is_long or place == -1, has_titles or place == -2
        sizes, name, over = self._sizes(shown, is_long, has_titles, width)
        if over > 0:
            return self._as_lines()
        has_short = any(part.columns[place].short for place in shown) and not is_long
        most = room - any(part.columns[place].title for place in shown) - bool(part.title) - has_short
        most = max(1, most if fills else min(most, part.latest or most))
        rows = self._lines(shown, sizes, is_long, bool(name), most)
        legend = [phrase_text(part.legend)] if has_short and part.legend else []
        return titled(part.title, *rows, *legend, called=self._names)

    def _sizes(self, shown: Sequence[int], is_long: bool, has_titles: bool, width: int) -> tuple[list[int], int, int]:
        """The widths of the columns and of the names: names are cut first, then texts."""
        sizes = [self._size(place, is_long, has_titles) for place in shown]
        over, name = self._total(shown, is_long, has_titles) - width, self._longest
        if name and over > 0:
            least = min(name, _SHORTEST_NAME)
            name = max(name - over, least) if name - over >= least or not self._has_marks else 0
            over = max(0, over - (self._longest - name) - (not name))
        texts = [at for at, place in enumerate(shown) if self._part.columns[place].is_text]
        while over > 0 and texts and max(sizes[at] for at in texts) > _LEAST_TEXT:
            widest = max(texts, key=lambda at: sizes[at])
            sizes[widest], over = sizes[widest] - 1, over - 1
        for at, place in enumerate(shown):
            if over < 0 and (column := self._part.columns[place]).least:
                wanted = column.width or max(self._heads[place].cell_len, self._widths[True][place])
                more = max(0, min(-over, wanted - sizes[at]))
                sizes[at], over = sizes[at] + more, over + more
        return ([name, *sizes] if name else sizes), name, over

    def _lines(self, shown: Sequence[int], sizes: list[int], is_long: bool, has_names: bool, most: int) -> Iterator[Text]:
        """The rows in columns of these widths. Texts are wrapped on screens without a story, everything else is cut."""
        part, values, sizes = self._part, self._long if is_long else self._short, [*self._lead, *sizes]
        columns, start = [part.columns[place] for place in shown], len(sizes) - len(shown)
        rights = [False] * start + [column.is_right for column in columns]
        rows = []
        if any(column.title for column in columns):
            heads = [self._head(place, cells) for place, cells in zip(shown, sizes[start:], strict=True)]
            rows.append([Text()] * start + heads)
        for row, texts in [*zip(part.rows, values, strict=True)][-most if part.latest else 0 :]:
            cells = [self._cell(place, texts[place], is_long) for place in shown]
            rows.append([*self._signs(row, sizes[start - 1] if has_names else 0), *cells])
        wrapped = [start + at for at, column in enumerate(columns) if column.is_text and self._wraps]
        for cells in rows:
            wraps = [at in wrapped and cell.cell_len > sizes[at] for at, cell in enumerate(cells)]
            lines = [[*cell.wrap(self._console, sizes[at])] if wraps[at] else [cell] for at, cell in enumerate(cells)]
            for line in zip_longest(*lines, fillvalue=Text()):
                yield _in_line(line, sizes, rights)

    def _head(self, place: int, cells: int) -> Text:
        column, head = self._part.columns[place], self._heads[place]
        text = head.copy() if head.cell_len <= cells or not column.short else plain(column.short[:cells])
        text.style = palette.QUIET
        return text

    def _cell(self, place: int, text: Text, is_long: bool) -> Text:
        is_sign = not is_long and self._part.columns[place].short and len(text) == 1
        return Text(" ") + text if is_sign else text

    def _signs(self, row: scene.Row, width: int) -> list[Text]:
        if row.seat is None:
            return []
        name = player_text(row.seat, self._names, width)
        if self._has_marks or row.state == scene.OUT:
            name.style = palette.QUIET if row.state == scene.OUT else ""
        sign, marks = Text(*_SIGNS.get(row.state, ("", ""))), [self._marks.text(row.seat)] * self._has_marks
        return [*([sign] * self._part.has_names), *marks, *([name] if width else [])]

    def _as_lines(self) -> Group:
        """Each row as a text: for a table of which not even the smallest form fits."""
        lines = []
        for row, cells in zip(self._part.rows, self._long, strict=True):
            named = zip(self._heads, cells, strict=True)
            facts = Text(" · ").join(head + Text(" ") + cell for head, cell in named if cell)
            marks = [] if row.seat is None else self._signs(row._replace(state=""), self._longest)
            lines.append(Text(" ").join(marks[self._part.has_names :]) + Text(": " * bool(marks)) + facts)
        return titled(self._part.title, *lines, called=self._names)


def _long(cell: scene.Phrase, seat: int, marks: Marks) -> Text:
    match cell:
        case (scene.Counter() as counter,):
            return counter_text(counter, seat)
    return phrase_text(cell, called=marks.short)


def _in_line(cells: Sequence[Text], sizes: Sequence[int], rights: Sequence[bool]) -> Text:
    line = Text(no_wrap=True)
    for cell, size, is_right in zip(cells, sizes, rights, strict=True):
        room = size - cell.cell_len
        if room < 0:
            cell = cell.copy()
            cell.truncate(size, overflow="ellipsis")
        line.append(" " * (room if is_right else 0)).append_text(cell).append(" " * (0 if is_right else room)).append(" ")
    line.right_crop(1)
    return line


def _widths(rows: Sequence[Sequence[Text]], part: scene.Table) -> list[int]:
    return [max((row[place].cell_len for row in rows), default=0) for place in range(len(part.columns))]
