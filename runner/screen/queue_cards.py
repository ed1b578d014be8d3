"""Queue of cards and stacks: boxes from left to right, in as many rows as needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from games.core import seat_name
from runner.screen.palette import QUIET, TITLE, seat_style

CURRENT, UNDER, TOKEN, UNKNOWN = "▶", "└", "●", "▒"
NARROW, WIDE = 10, 13
"""Letters per card: for short names, or for whole ones."""

_SIDES = 2
_ROOM_FOR_WIDE = 75
_LISTED = 20
"""Cells of a stack in a list."""
_LEAST_OF_UNKNOWN = 3


class Face(NamedTuple):
    """A card; `name` is None if the perspective may not see it."""

    owner: int
    name: str | None
    is_revealed: bool
    tokens: int


class _Border(NamedTuple):
    left: str
    right: str
    low_left: str
    low_right: str
    rule: str
    side: str


_LIGHT, _HEAVY = _Border("╭", "╮", "╰", "╯", "─", "│"), _Border("┏", "┓", "┗", "┛", "━", "┃")


@dataclass(frozen=True, slots=True)
class QueueCards:
    """The stacks, each from top to bottom.

    `current` is the index of the stack being resolved, `short` has abbreviations of long names. `beside` is the number of
    lines that other parts of the screen need; if the rest is too small, the boxes have no bottom line, or each stack is a
    line of a list.
    """

    stacks: Sequence[Sequence[Face]]
    current: int | None
    short: Mapping[str, str]
    beside: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        letters = WIDE if width >= _ROOM_FOR_WIDE else NARROW
        per_row = max(1, width // (letters + _SIDES))
        rows = self._rows(letters, per_row, is_open=False)
        if len(rows) > options.max_height - self.beside:
            rows = self._rows(letters, per_row, is_open=True)
        if len(rows) > options.max_height - self.beside:
            rows = self._list(width)
        yield from rows

    def _list(self, width: int) -> list[Text]:
        """One line a stack, in columns."""
        per_row = max(1, width // _LISTED)
        cells = [_listed(at, stack, at == self.current, self.short) for at, stack in enumerate(self.stacks)]
        return [_joined(cells[start : start + per_row]) for start in range(0, len(cells), per_row)]

    def _rows(self, letters: int, per_row: int, is_open: bool) -> list[Text]:
        boxes = [_Box(at, stack, at == self.current, letters, self.short) for at, stack in enumerate(self.stacks)]
        drawn = [box.open_lines() if is_open else box.lines() for box in boxes]
        blank = Text(" " * (letters + _SIDES))
        lines: list[Text] = []
        for start in range(0, len(drawn), per_row):
            lines += [_joined(parts) for parts in zip_longest(*drawn[start : start + per_row], fillvalue=blank)]
        return lines


def _joined(parts: Sequence[Text]) -> Text:
    line = Text("", no_wrap=True).join(parts)
    line.rstrip()
    return line


def _listed(at: int, stack: Sequence[Face], is_current: bool, short: Mapping[str, str]) -> Text:
    """A stack in one cell: position, owner, top card with a sign if it is hidden, its tokens, how many cards it covers."""
    top, style = stack[0], seat_style(stack[0].owner)
    name = UNKNOWN * _LEAST_OF_UNKNOWN if top.name is None else short.get(top.name, top.name)
    cell = Text(f"{CURRENT if is_current else ''}{at + 1}".rjust(3), style=TITLE)
    cell += Text(f" {seat_name(top.owner)}{' ' if top.is_revealed else UNKNOWN}{name}{_tokens(top).strip()}", style=style)
    cell += Text(f"+{len(stack) - 1}" if len(stack) > 1 else "", style=QUIET)
    cell.truncate(_LISTED, overflow="ellipsis", pad=True)
    return cell


@dataclass(frozen=True, slots=True)
class _Box:
    """A position of the queue."""

    at: int
    stack: Sequence[Face]
    is_current: bool
    letters: int
    short: Mapping[str, str]

    @property
    def style(self) -> str:
        """The colour of the family."""
        return seat_style(self.stack[0].owner)

    @property
    def border(self) -> _Border:
        """A heavy border for the card being resolved."""
        return _HEAVY if self.is_current else _LIGHT

    def lines(self) -> list[Text]:
        """Position and owner, the top card, the cards it covers, and its state with its tokens."""
        return [self._head(), self._between(self._face()), *self._covered(), self._foot()]

    def open_lines(self) -> list[Text]:
        """The same without the bottom line: a hidden card is in brackets."""
        top = self.stack[0]
        tokens = _tokens(top)
        name = UNKNOWN * (self.letters - len(tokens)) if top.name is None else top.name
        room = self.letters - len(tokens)
        if top.name is not None and not top.is_revealed:
            name = f"({self._fitted(top.name, room - 2)})"
        face = Text(self._fitted(name, room) + tokens, style=f"bold {self.style}" if top.is_revealed else self.style)
        return [self._head(), self._between(face), *self._covered()]

    def _head(self) -> Text:
        border, style = self.border, self.style
        place = f"{CURRENT if self.is_current else ''}{self.at + 1}"
        owner = seat_name(self.stack[0].owner)
        rule = border.rule * (self.letters - len(place) - len(owner) - 4)
        line = Text(f"{border.left} ", style=style) + Text(place, style=TITLE) + Text(f" {rule} ", style=style)
        return line + Text(owner, style=f"bold {style}") + Text(f" {border.right}", style=style)

    def _between(self, inside: Text) -> Text:
        side = Text(self.border.side, style=self.style)
        inside.pad_right(self.letters - len(inside))
        return side + inside + side

    def _face(self) -> Text:
        top = self.stack[0]
        if top.name is None:
            return Text(UNKNOWN * self.letters, style=f"dim {self.style}")
        weight = "bold" if top.is_revealed else "italic"
        return Text(self._fitted(top.name, self.letters).center(self.letters), style=f"{weight} {self.style}")

    def _covered(self) -> Iterator[Text]:
        for card in self.stack[1:]:
            tokens, room = _tokens(card), self.letters - len(UNDER)
            if card.name is None:
                name = UNKNOWN * _LEAST_OF_UNKNOWN
            elif (name := self._fitted(card.name, room - len(tokens))).endswith("…"):
                tokens = tokens.strip()
                name = self._fitted(card.name, room - len(tokens))
            yield self._between(Text(f"{UNDER}{name}{tokens}", style=QUIET))

    def _foot(self) -> Text:
        border, top = self.border, self.stack[0]
        words = "" if top.is_revealed else f"hidden{_tokens(top)}"
        if words and len(words) + _SIDES <= self.letters:
            words = f" {words} "
        rule = border.rule * (self.letters - len(words))
        return Text(f"{border.low_left}{rule}{words}{border.low_right}", style=self.style)

    def _fitted(self, name: str, room: int) -> str:
        if len(name) <= room:
            return name
        short = self.short.get(name, name)
        return short if len(short) <= room else f"{short[: room - 1]}…"


def _tokens(card: Face) -> str:
    return f" {card.tokens}{TOKEN}" if card.tokens else ""
