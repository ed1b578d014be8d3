"""Scenes in a terminal: the parts of a game's table, each in the largest form that fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest

from rich.align import Align
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.rule import Rule
from rich.segment import Segment, SegmentLines
from rich.table import Table as RichTable
from rich.text import Text

from games.core import Game, scene
from games.core.eye import VisibleState
from games.core.sentence import Does, Who
from games.scenes import scene_of
from runner.screen import palette, scene_parts
from runner.screen.line_breaks import on_a_line
from runner.screen.palette import TITLE, Marks, player_text, seat_style
from runner.screen.safe_text import clean, plain
from runner.screen.scene_parts import TablePart, phrase_text, titled

_LONGEST_NAME, _SHORT_NAME = 30, 20
_GAP, _BESIDE_ROWS, _LINES_OF_HAND, _SPARE = 2, 13, 4, 7
LEAST_TABLE, _MENU = 11, 20
"""Lines of a table that a menu leaves at least, and those of a menu and what else is on the screen."""
_MANY, _LOW, _HIGH, _CARD = 4, 30, 45, 9
"""Players from which votes are digits, lines of a terminal from which scores are bars, and from which what is large is high,
and those of a card of words there."""

_SHORT_PARTS = scene.Grid | scene.CardRow | scene.Texts
"""Parts that call players by their marks."""

Lines = list[list[Segment]]
Form = Callable[[int, int], RenderableType]
"""A part in one of its forms, made for a width and a maximum number of lines."""


@dataclass(frozen=True, slots=True)
class SceneTable:
    """The parts of a scene. `has_story`: a story beside it tells what happened before, and rules are told elsewhere;
    `has_menu`: a menu below it has what is chosen from; `height`: the lines there are, where these are not all; `is_asked`:
    menus come and go below it, and what fits beside them alone is drawn, so that none changes how things look."""

    scene: scene.Scene
    has_story: bool = False
    has_menu: bool = False
    height: int | None = None
    is_asked: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        is_large = console.width >= scene_parts.GROWN
        is_high = is_large and self.has_story and console.height >= _HIGH
        left_out = [scene.PAGE] * (not is_large) + [scene.PAST] * self.has_story
        parts = self.scene.shown([*left_out, *[scene.CHOICE] * (self.has_menu and not is_high)])
        names = self.scene.names
        marks = Marks.of(names, len(names) > _MANY or any(isinstance(part, scene.Grid) for part in parts))
        steady = max(LEAST_TABLE, console.height - _MENU) if self.is_asked else console.height
        drawing = _Drawing(console, options, names, parts, is_large, is_high, self.has_story, self.has_menu, marks, steady)
        yield SegmentLines(drawing.lines(self.height or options.max_height), new_lines=True)


def rules_of(of: scene.Scene) -> RenderableType:
    """What a newcomer has to know, in short."""
    return SceneTable(replace(of, parts=of.rules), has_story=True)


def drawn_table(game: Game, seen: VisibleState) -> RenderableType:
    """The table in a terminal, without a story beside it."""
    return SceneTable(scene_of(game, seen))


# -- the layout ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Draws parts in columns where they fit side by side, else from top to bottom, within the height, each in the largest of
    its forms that fits. `is_large`: boards and cards are large, `is_high`: as high as can be. With a story, and where it
    `is_beside` others, a table that grows takes the room that there is. `has_menu`: a menu has other numbers. `steady`: the
    lines in which boards and queues have to fit."""

    console: Console
    options: ConsoleOptions
    names: tuple[str, ...]
    parts: Sequence[scene.Part]
    is_large: bool
    is_high: bool
    has_story: bool
    has_menu: bool
    marks: Marks
    steady: int
    is_beside: bool = False
    tables: dict[int, TablePart] = field(default_factory=dict)

    def lines(self, height: int) -> Lines:
        """The lines of the parts."""
        width, parts = self.options.max_width, self.parts
        columns = [[part for part in parts if part.column == number] for number in sorted({part.column for part in parts})]
        least = [max(map(self._least_width, column)) for column in columns]
        beside = len(columns)
        while beside > 1 and sum(least[:beside]) + _GAP * (beside - 1) > width:
            beside -= 1
        if beside < 2:
            return self._fitted(parts, width, height)
        found, left, filling = list[tuple[int, Lines]](), width, replace(self, is_beside=True)
        for number, column in enumerate(columns[:beside]):
            most = left - sum(least[number + 1 : beside]) - _GAP * (beside - 1 - number)
            if not number:
                most = max(
                    least[0], 0 if all(isinstance(part, scene.Grid) for part in column) else min(most, width // 2 - _GAP)
                )
            room = max(_BESIDE_ROWS, *(len(lines) for _, lines in found)) if found else height
            lines = filling._fitted(column, most, min(room, height))
            found.append((max(map(Segment.get_line_length, lines), default=0) if number else most, lines))
            left -= found[-1][0] + _GAP
        rows = zip_longest(*(lines for _, lines in found), fillvalue=list[Segment]())
        widths = [used + _GAP for used, _ in found[:-1]] + [found[-1][0]]
        fit = Segment.adjust_line_length
        drawn = [[piece for part, used in zip(row, widths, strict=True) for piece in fit(part, used)] for row in rows]
        below = [part for column in columns[beside:] for part in column]
        drawn += [[]] * (self.has_story and len(drawn) + _BESIDE_ROWS < height)
        return drawn + (filling._fitted(below, width, max(1, min(_BESIDE_ROWS, height - len(drawn)))) if below else [])

    def _fitted(self, parts: Sequence[scene.Part], width: int, height: int) -> Lines:
        """The parts below one another: where they are too high, the highest ranks are made smaller, then left out, and what
        room is left over is given back to the lowest; where much is left over, a blank line stands between them."""
        shown = [lines for lines in self._in_room(parts, width, height) if lines]
        is_roomy = sum(map(len, shown)) + len(shown) + _SPARE <= min(height, self.steady)
        gap: Lines = [[]] if self.has_story and is_roomy else []
        return [line for place, lines in enumerate(shown) for line in ([*gap, *lines] if place else lines)]

    def _in_room(self, parts: Sequence[scene.Part], width: int, height: int) -> list[Lines]:
        forms = [[*self._forms(part)] for part in parts]
        drawn = [self._drawn(of[0], width, height) for of in forms]
        whole, order = [*map(len, drawn)], sorted(range(len(parts)), key=lambda place: -parts[place].rank)

        def room(place: int, most: int = height) -> int:
            return most - sum(map(len, drawn)) + len(drawn[place])

        for place in order:
            if len(drawn[place]) > (left := room(place, min(height, self.steady))):
                drawn[place] = self._largest(forms[place][1:] or forms[place], width, left)
        for place in order:
            if parts[place].rank and len(drawn[place]) > room(place):
                drawn[place] = []
        for place in reversed(order):
            is_steady = self.steady < height and isinstance(parts[place], scene.Grid | scene.CardRow | scene.Players)
            if len(drawn[place]) < min(whole[place], room(place)) and not is_steady:
                larger = self._largest(forms[place], width, room(place))
                drawn[place] = larger if len(larger) <= room(place) else drawn[place]
        return drawn

    def _hands(self, part: scene.Players, width: int, room: int) -> RenderableType:
        """The players, each with boxes of cards below, where that leaves lines for what grows in a turn; else in a table."""
        if len(part.rows) * _LINES_OF_HAND + 1 + _SPARE > min(room, self.steady):
            return self._table(part).drawn(width, room, True)
        table = TablePart(self.console, self.names, replace(part, cards="").as_table(), False, self.marks, self._has_marks)
        lines = self._drawn(lambda width, room: table.drawn(width, room, False), width, len(part.rows) + 2)
        head, rows = len(lines) - len(part.rows), [SegmentLines([line], new_lines=True) for line in lines]
        below = [
            [row, *[_boxes(player.cards)] * bool(player.cards)] for row, player in zip(rows[head:], part.rows, strict=True)
        ]
        return Group(*rows[:head], *(line for one in below for line in one))

    def _largest(self, forms: Sequence[Form], width: int, room: int) -> Lines:
        for form in forms:
            if len(lines := self._drawn(form, width, room)) <= room:
                break
        return lines

    def _drawn(self, form: Form, width: int, room: int) -> Lines:
        return self.console.render_lines(form(width, max(1, room)), self.options.update(width=width, height=None), pad=False)

    # -- the forms of parts ------------------------------------------------------------------------------------------

    def _forms(self, part: scene.Part) -> Iterator[Form]:
        match part:
            case scene.Players():
                if part.cards and self.has_story:
                    yield lambda width, room: self._hands(part, width, room)
                has_bars = self.console.height >= _LOW and len(part.rows) * 2 <= self.steady
                if part.cards or not self.has_story or has_bars:
                    yield lambda width, room: self._table(part).drawn(width, room, self.has_story or self.is_beside)
                if not part.cards:
                    yield lambda width, room: self._scores(part, width)
            case scene.Table():
                yield lambda width, room: self._table(part).drawn(width, room, self.has_story or self.is_beside)
            case scene.CardRow():
                yield lambda width, room: scene_parts.card_row(part, width, self.names, 2)
                yield lambda width, room: scene_parts.card_row(part, width, self.names, 0)
                yield lambda width, room: scene_parts.listed_row(part, self.marks, width)
            case scene.Grid():
                for lines in [3] * self.is_high + [2] * self.is_large + [1, 0]:
                    yield _of_width(scene_parts.board, part, self.marks, lines)
            case scene.Texts():
                for least in ([_CARD] * self.is_high + [0] * self.is_large) * self.has_story:
                    yield _of_width(scene_parts.text_cards, self.console, part, self.names, least, not self.has_menu)
                yield lambda width, room: self._texts(part, False)
                yield lambda width, room: self._texts(part, True)
                if part.holder is not None:
                    yield lambda width, room: self._texts(part, True, [card for card in part.cards if card.note])
            case scene.Quote():
                for space in ([1] * self.is_high + [0]) * (not part.title):
                    yield partial(self._quote, part, space)
                yield lambda width, room: self._quote_line(part, False)
                yield lambda width, room: self._quote_line(part, True)
            case scene.Steps():
                yield lambda width, room: self._steps(part, room)
            case scene.Banner(words=words):
                yield lambda width, room: Rule(phrase_text(words, called=self.names), characters="━", style=palette.BAD)
            case scene.Legend(signs=signs):
                legend = Text(" · ", palette.QUIET).join(
                    Text(f"{sign} ") + phrase_text(words, called=self.names) for sign, words in signs
                )
                yield lambda width, room: legend
                yield lambda width, room: on_a_line(legend.copy())

    def _least_width(self, part: scene.Part) -> int:
        match part:
            case scene.Grid():
                return scene_parts.grid_width(part, self.is_large)
            case scene.CardRow() if self.is_large:
                return scene_parts.LEAST_ROW
            case scene.Players() | scene.Table():
                return self._table(part).least
        return _LONGEST_NAME

    def _table(self, part: scene.Players | scene.Table) -> TablePart:
        if id(part) not in self.tables:
            table = part.as_table() if isinstance(part, scene.Players) else part
            self.tables[id(part)] = TablePart(self.console, self.names, table, not self.has_story, self.marks, self._has_marks)
        return self.tables[id(part)]

    # -- players ----

    def _scores(self, part: scene.Players, width: int) -> RenderableType:
        names = [palette.name_beside(seat, self.names) for seat in range(len(self.names))] if self._has_marks else self.names
        longest = max(cell_len(names[row.seat]) for row in part.rows)
        notes = max((phrase_text(row.note, True).cell_len + 1 for row in part.rows), default=0)
        beside = len("P-0 ") * self._has_marks + len(" -99 ") + max(notes, len(" tells"))
        per_row = max(2, (width + _GAP) // (min(longest, _SHORT_NAME) + beside + _GAP))
        room = min(longest, max(1, (width + _GAP) // per_row - _GAP - beside))
        cells, grid = [], RichTable.grid(padding=(0, _GAP, 0, 0))
        for row in part.rows:
            counted = "".join(f" {counter.value:>3}" for counter in row.counters)
            cell = Text.assemble(
                *[self.marks.text(row.seat) + Text(" ")] * self._has_marks, player_text(row.seat, names, room), counted
            )
            cells.append(cell + Text(" ") + phrase_text(row.note, True) if row.note else cell)
        for start in range(0, len(cells), per_row):
            grid.add_row(*cells[start : start + per_row])
        return grid

    # -- words ----

    def _texts(self, part: scene.Texts, is_cut: bool, only: Sequence[object] | None = None) -> RenderableType:
        title = phrase_text(part.title, style=TITLE, called=self.names)
        has_title = only is None and not (self.has_story and part.holder is None)
        rows = RichTable(title=title if has_title else None, title_justify="left", expand=True, box=None, show_header=False)
        rows.add_column(no_wrap=True, style="" if only else palette.QUIET)
        rows.add_column(ratio=1, no_wrap=is_cut, overflow="ellipsis" if is_cut else "fold")
        rows.add_column(no_wrap=True, min_width=self._room_of_votes if self.has_story and part.holder is None else None)
        for number, card in enumerate(part.cards, 1):
            if only is not None and card not in only:
                continue
            known = Text("" if card.owner is None else "by ")
            if card.owner is not None:
                known += self.marks.text(card.owner) + Text(" ★" * card.is_marked)
            if card.has_votes:
                known += Text(f"  {len(card.voters)}", style="bold green" if card.voters else palette.QUIET)
            known += Text(" ✓" if card.voters and self._has_many else "")
            for seat in card.voters:
                mark = Text(self.marks.letters[seat]) if self._has_many else Text(" ✓") + self.marks.text(seat)
                mark.stylize(seat_style(seat))
                known += mark
            note = Text(f"  ← {clean(card.note)}", style=palette.QUIET) if card.note else Text()
            name = plain(" " if self.has_menu else number) if only is None else self.marks.text(part.holder or 0)
            rows.add_row(name, plain(card.text, TITLE if card.note else "") + note, known)
        return Group(rows, phrase_text(part.foot, called=self.names)) if part.foot and not self.has_story else rows

    @property
    def _has_marks(self) -> bool:
        """Whether parts call players by marks that are no names, for want of room: in each game always, or never."""
        return not self.marks.are_names and (
            not any(isinstance(part, scene.Players) and part.cards for part in self.parts)
            or any((isinstance(part, _SHORT_PARTS) and part.use != scene.PAGE) or part.use == scene.PAST for part in self.parts)
        )

    @property
    def _has_many(self) -> bool:
        return len(self.names) > _MANY

    @property
    def _room_of_votes(self) -> int:
        """The columns of an owner and of all votes on a card, kept from the start, so that no vote wraps the cards."""
        voters = len(self.names) - 1
        return len("by P-0 ★  9") + (2 + voters if self._has_many else len(" ✓P-0") * voters)

    def _quote(self, part: scene.Quote, space: int, width: int, room: int) -> Panel:
        style = seat_style(part.seat)
        words = plain(part.text, "italic") if part.text else plain(part.instead, palette.QUIET)
        return Panel(
            Align(words, "center" if space else "left"),
            title=phrase_text((Who(part.seat), Does(part.seat, "say")), called=self.names),
            title_align="left",
            border_style=style,
            padding=(space, 1),
        )

    def _quote_line(self, part: scene.Quote, is_cut: bool) -> Text:
        said = plain(f"“{part.text}”" if part.text else part.instead, "italic")
        before: scene.Phrase = (*part.title, ", ") if part.title else ()
        line = phrase_text((*before, Who(part.seat), Does(part.seat, "say: ")), called=self.names) + said
        return on_a_line(line) if is_cut else line

    def _steps(self, part: scene.Steps, room: int) -> Group:
        """The steps: where room is scarce the first one, and the newest that fit, each on a line."""
        title: scene.Phrase = (*part.title, f" · {part.pile.name} {part.pile.size}") if part.pile else part.title
        lines = [
            Text.assemble((f"{sign} " if sign else "", palette.QUIET), phrase_text(words, called=self.names))
            for sign, words in part.steps
        ]
        room -= bool(part.title)
        if self.has_story and part.title and all(sign for sign, _ in part.steps):
            lines = [*map(on_a_line, lines)]
            if len(lines) > room:
                lines = [*lines[:1], *lines[len(lines) - room + 1 :]] if room > 1 else lines[:1]
        return titled(title, *lines, called=self.names)


def _of_width(draw: Callable[..., RenderableType], *given: object) -> Form:
    return lambda width, room: draw(*given, width)


def _boxes(cards: Sequence[scene.Card]) -> RenderableType:
    """Cards side by side, those that are lost quietly."""
    styles = (palette.QUIET if card.state == scene.LOST else "" for card in cards)
    return scene_parts.in_a_row(
        [" ", *(Panel.fit(phrase_text((card,)), border_style=style) for card, style in zip(cards, styles, strict=True))], 1
    )
