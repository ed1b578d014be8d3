"""Scene: what is on a game's table, as data. Terminals, pages and pictures draw a scene and nothing else of a game.

A game's function `table(view, own, names)` makes it from what a perspective may know. Words are phrases: tuples of texts and
of the pieces below. Everything is a frozen value, so that equal parts are drawn once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from importlib import import_module
from itertools import zip_longest
from types import ModuleType
from typing import Any, NamedTuple

from games.core.definition import View
from games.core.event import seat_name
from games.core.sentence import YOU, counted
from games.core.sentence import Does as Does
from games.core.sentence import Who as Who
from games.core.sentence import named as named

# -- phrases ---------------------------------------------------------------------------------------------------------

STRONG, QUIET, GOOD, BAD, CODE = "strong", "quiet", "good", "bad", "code"
TONES = frozenset({"red", "blue", "yellow", "green", "violet", "slate", "navy", "forest", "crimson", "teal", "brown"})
"""The colours of cards and rows. A terminal has the first four; a page has them all, in light and dark."""
UP, DOWN, LOST, DEAD = "up", "down", "lost", "dead"
"""How a card lies: face up, face down, turned up and lost, or in a hand and of no use any more."""


class Word(NamedTuple):
    """A text in a tone: STRONG, QUIET, GOOD, BAD, CODE (letters of one width), TONES or a `seat_tone`. `short` stands for
    it in narrow columns."""

    text: str
    tone: str = STRONG
    short: str = ""


class Dot(NamedTuple):
    """A marker that a player has or has spent; its first letter where there are no colours."""

    name: str
    tone: str
    is_there: bool = True


class Counter(NamedTuple):
    """A number of things. With `of` it is drawn as a bar, without as a row of them where there is room."""

    value: int
    name: str
    of: int | None = None


class Card(NamedTuple):
    """A card. `name` is None where the view may not know it; `sign` is its picture, `short` its name in narrow places."""

    name: str | None
    tone: str = ""
    sign: str = ""
    state: str = UP
    owner: int | None = None
    tokens: int = 0
    short: str = ""


Piece = str | Who | Does | Word | Dot | Counter | Card
Phrase = tuple[Piece, ...]


def seat_tone(seat: int) -> str:
    """The tone of a player's own colour."""
    return f"seat {seat}"


def tones_of(phrase: Phrase, called: Sequence[str] = (), is_short: bool = False) -> Iterator[tuple[str, str]]:
    """A phrase in words for screens of letters, each with its tone, perhaps with the short forms of its words. `called`: names
    by seat, `you` for the person who looks on."""
    last: Piece | None = None
    for place, piece in enumerate(phrase):
        follows_card = isinstance(piece, Card) and isinstance(last, Card)
        if follows_card:
            yield " ", ""
        if isinstance(piece, Who):
            name = (called[piece.seat] if called else "") or seat_name(piece.seat)
            first, said, rest = piece.said(name, name == YOU)
            begins = not place and any(isinstance(one, Does) for one in phrase[1:2])
            said = said.capitalize() if begins and name == YOU else said
            yield from ((first, ""), (said, f"name {piece.seat}"), (rest, ""))
        elif isinstance(piece, Does):
            said = piece.said(bool(called) and called[piece.seat] == YOU)
            yield (said if place else said.lstrip()), piece.tone
        else:
            yield _in_letters(piece, is_short, isinstance(last, Card) and last.state == DEAD)
        last = piece


def _in_letters(piece: str | Word | Dot | Counter | Card, is_short: bool, follows_dead: bool) -> tuple[str, str]:
    match piece:
        case str():
            return piece, ""
        case Word(text, tone, short):
            return (is_short and short) or text, tone
        case Dot(name, tone, is_there):
            return (name[:1].upper(), tone) if is_there else ("·", QUIET)
        case Counter(value, _, of):
            return f"{value:>2}" if of is None else f"{value:>3} of {of}", ""
        case Card(str(name), state=state) if state in (LOST, DEAD):
            return f"{'✗' if state == LOST else '' if follows_dead else '✗ '}{name}", QUIET
        case Card(str(name), tone):
            return name, f"card {tone}" if tone else ""
    return "▒▒▒▒", QUIET


# -- parts -----------------------------------------------------------------------------------------------------------

PAST, CHOICE, PAGE, SCREEN = "past", "choice", "page", "screen"
"""Uses of a part: what happened before, for screens without a story; what is chosen from, for screens without a menu; what is
for pages alone, or for terminals alone."""
ACTIVE, OUT, WINS = "active", "out", "wins"
"""States of a player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a scene. Where room is scarce, the part of the highest rank is drawn in a more compact form first, and left out
    first unless its rank is 0. On a wide screen parts stand in as many `column`s as fit side by side."""

    title: Phrase = ()
    rank: int = 0
    use: str = ""
    column: int = 0


class Player(NamedTuple):
    """A player: a note such as the part in the turn, counters, cards, and what the player has said so far."""

    seat: int
    state: str = ""
    note: Phrase = ()
    counters: tuple[Counter, ...] = ()
    cards: tuple[Card, ...] = ()
    said: Phrase = ()


@dataclass(frozen=True, slots=True)
class Players(Part):
    """All players: a panel for each with cards, a bar for each without. `hand_width`: the most letters of a hand."""

    rows: tuple[Player, ...]
    counters: tuple[str, ...] = ()
    cards: str = ""
    said: str = ""
    hand_width: int = 0

    def as_table(self) -> Table:
        """The players as a table: counters, cards, a note, what they have said."""
        counters = max((len(row.counters) for row in self.rows), default=0)
        titled = zip_longest(self.counters, range(counters), fillvalue="")
        columns = [Column((title,) if title else ()) for title, _ in titled]
        columns += [Column((self.cards,), width=self.hand_width)] if self.cards else []
        has_notes = self.cards or self.said or any(row.note for row in self.rows)
        columns += [Column(width=_NOTE if self.cards or self.said else 0, rank=1)] if has_notes else []
        columns += [Column((self.said,), least=_SAID, rank=3)] if self.said else []
        rows = []
        for row in self.rows:
            values: list[Phrase] = [(counter,) for counter in row.counters]
            values += [(Word("out", QUIET),) if row.state == OUT else ()] * (counters - len(values))
            said = [tuple(piece for card in row.said for piece in (card, ", "))[:-1]] if self.said else []
            note = tuple(piece._replace(short="") if isinstance(piece, Word) else piece for piece in row.note)
            cells = [*values, *([row.cards] if self.cards else []), note, *said]
            rows.append(Row(tuple(cells[: len(columns)]), row.seat, row.state))
        return Table(tuple(columns), tuple(rows), title=self.title)


_NOTE, _SAID = 15, 20
"""Letters of a note, and the fewest of what a player has said."""


class Column(NamedTuple):
    """A column of a table. One with a rank is left out where it does not fit, the highest rank first. `width`: its letters, so
    that it stays where it is; `least`: to how many it may be cut; `is_text`: it may be wrapped."""

    title: Phrase = ()
    short: str = ""
    rank: int = 0
    width: int = 0
    least: int = 0
    is_text: bool = False
    is_right: bool = False


class Row(NamedTuple):
    """A row of a table, perhaps that of a player."""

    cells: tuple[Phrase, ...]
    seat: int | None = None
    state: str = ""


@dataclass(frozen=True, slots=True)
class Table(Part):
    """A table. With `latest` it grows, and that number of its last rows is drawn where there is no bound. `legend` explains the
    short forms of its words. `has_names` False: the players of its rows are named in short."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    latest: int = 0
    legend: Phrase = ()
    has_names: bool = True


class Stack(NamedTuple):
    """A place with cards, the top card first."""

    cards: tuple[Card, ...]
    place: str = ""
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class CardRow(Part):
    """Stacks of cards from left to right, then a note on what comes next; `empty` is said where there are none."""

    stacks: tuple[Stack, ...]
    empty: str = ""
    note: Phrase = ()


class Mark(NamedTuple):
    """A mark in a cell: `open`, `costly`, `now`, `group` or `best`, with its sign and its meaning."""

    kind: str
    sign: str
    words: str


class Cell(NamedTuple):
    """A cell of a grid: empty, held by a player, or blocked."""

    owner: int | None = None
    mark: Mark | None = None
    is_blocked: bool = False


@dataclass(frozen=True, slots=True)
class Grid(Part):
    """A board: named rows, each with its tone and as many cells as there are columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Word, tuple[Cell, ...]], ...]


class TextCard(NamedTuple):
    """A card of words. `owner` and `voters`, where the view knows them; `has_votes`: all have voted; `is_marked`: it is the one
    that all look for; `note` is its result."""

    text: str
    name: str = ""
    owner: int | None = None
    voters: tuple[int, ...] = ()
    has_votes: bool = False
    is_marked: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Texts(Part):
    """Cards of words. `holder`: they are the hand of a player; `foot` stands below them on screens without a story."""

    cards: tuple[TextCard, ...]
    holder: int | None = None
    foot: Phrase = ()


@dataclass(frozen=True, slots=True)
class Quote(Part):
    """What a player says to all, large; `instead` of an empty text."""

    seat: int
    text: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile of cards face down, and what has left it for good."""

    name: str
    count: int
    lost: tuple[tuple[Card, int], ...] = ()

    @property
    def size(self) -> str:
        """How many cards are in it."""
        return counted(self.count, "card")


@dataclass(frozen=True, slots=True)
class Steps(Part):
    """A turn step by step, each with a sign, or a single line on what is to be decided; the first step stays."""

    steps: tuple[tuple[str, Phrase], ...] = ()
    pile: Pile | None = None


@dataclass(frozen=True, slots=True)
class Banner(Part):
    """What nobody may overlook."""

    words: Phrase


@dataclass(frozen=True, slots=True)
class Legend(Part):
    """Signs and what they mean."""

    signs: tuple[tuple[str, Phrase], ...]


@dataclass(frozen=True, slots=True)
class Later(Part):
    """A part that is made when it is drawn, such as a long history that most screens leave out."""

    make: Callable[[], Part]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as a perspective sees it: the names of the players, the parts from top to bottom, the rules in short, and a
    number of each player for a chart with its name."""

    names: tuple[str, ...]
    parts: tuple[Part, ...]
    rules: tuple[Part, ...] = ()
    standing: tuple[float, ...] = ()
    standing_name: str = ""

    def shown(self, without: Collection[str]) -> list[Part]:
        """The parts but those of some uses."""
        return [part.make() if isinstance(part, Later) else part for part in self.parts if part.use not in without]

    @property
    def out(self) -> frozenset[int]:
        """The players who are out."""
        rows = [row for part in self.parts if isinstance(part, Players | Table) for row in part.rows]
        return frozenset(row.seat for row in rows if row.state == OUT and row.seat is not None)


def checked(scene: object) -> Scene:
    """The scene. ValueError for one that cannot be drawn: a foreign value, a seat without a name, a row that has not a cell for
    each column."""
    if not isinstance(scene, Scene):
        raise ValueError(f"a table is a Scene, not a value of type {type(scene).__name__}")
    scene = replace(scene, parts=tuple(part.make() if isinstance(part, Later) else part for part in scene.parts))
    for value in _values(scene):
        match value:
            case Table(columns=columns, rows=rows) if any(len(row.cells) != len(columns) for row in rows):
                raise ValueError("a row of a Table has not a cell for each column")
            case Grid(columns=columns, rows=rows) if any(len(cells) != len(columns) for _, cells in rows):
                raise ValueError("a row of a Grid has not a cell for each column")
            case (
                Who(seat=seat)
                | Does(seat=seat)
                | Card(owner=seat)
                | Cell(owner=seat)
                | TextCard(owner=seat)
                | Player(seat=seat)
                | Row(seat=seat)
            ):
                if seat is not None and seat not in range(len(scene.names)):
                    raise ValueError(f"the scene has no player {seat!r}")
    if not all(isinstance(part, Part) for part in (*scene.parts, *scene.rules)):
        raise ValueError("the parts of a scene are Parts")
    return scene


def _values(value: object) -> Iterator[object]:
    """The value with all that is in it, but for texts and numbers."""
    left = [value]
    while left:
        one = left.pop()
        if one is None or isinstance(one, (str, int, float)):
            continue
        yield one
        if isinstance(one, tuple):
            left.extend(one)
        elif is_dataclass(one):
            left.extend(getattr(one, field.name) for field in fields(one))
        else:
            raise ValueError(f"a scene holds no value of type {type(one).__name__}")


Owns = Mapping[int, Mapping[str, Any]]
"""The private part of each seat whose cards a perspective may see."""
Tabling = Callable[[View, Owns, tuple[str, ...]], Scene]


def table_of(module: str) -> Tabling:
    """The function `table` of a game's module, which is loaded now; a plain one for a game that names no module."""
    found: Tabling = module_of(module).table if module else plain_table
    return found


def module_of(name: str) -> ModuleType:
    """A game's module of its table, which is loaded now."""
    return import_module(name)


# -- a game without a table of its own -------------------------------------------------------------------------------

_ABOVE = frozenset({"game", "seat", "own", "phase", "players"})
"""Fields of a view that a screen tells elsewhere, or that say whose view it is."""


def plain_table(view: View, own: Owns, names: tuple[str, ...]) -> Scene:
    """The scene of any view: a line for each fact, and a row for each player with what is known of that player."""
    public = {name: value for name, value in view.items() if name not in _ABOVE}
    by_seat = {name: value for name, value in public.items() if isinstance(value, list) and len(value) == len(names)}
    facts = [Row(((Word(_title(name), QUIET),), (_words(value),))) for name, value in public.items() if name not in by_seat]
    hidden = list(dict.fromkeys(name for facts in own.values() for name in facts))
    scores = view.get("scores")
    rows = tuple(
        Row(tuple((_words(value),) for value in (*(value[seat] for value in by_seat.values()), *_own(own, seat, hidden))), seat)
        for seat in range(len(names))
    )
    columns = tuple(Column((_title(name),), is_text=True) for name in (*by_seat, *hidden))
    parts = [Table(columns, rows)] if columns else [Players(tuple(Player(seat) for seat in range(len(names))))]
    has_scores = isinstance(scores, list) and all(isinstance(score, int | float) for score in scores)
    return Scene(
        names,
        (Table((Column(), Column(is_text=True)), tuple(facts)), *parts),
        standing=tuple(scores) if has_scores and scores is not None else (),
        standing_name="Score",
    )


def _own(own: Owns, seat: int, names: Sequence[str]) -> Iterator[object]:
    return (own.get(seat, {}).get(name) for name in names)


def _title(name: str) -> str:
    return name.replace("_", " ")


def _words(value: object) -> str:
    """A value in words: a list by its elements, an object by its facts, nothing for None."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{_title(str(name))} {_words(one)}".strip() for name, one in value.items())
        case list() | tuple():
            is_nested = any(isinstance(one, Mapping | list | tuple) for one in value)
            return ("; " if is_nested else ", ").join(map(_words, value))
    return str(value)
