"""Oriflamme on screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from games.core import seat_name
from games.oriflamme.cards import CHOOSERS, NUMBERS, TYPES
from games.oriflamme.phases import PLACEMENT
from runner.screen.card_locations import LEGEND, WORD, CardLocation, column_widths, heading, location_line
from runner.screen.palette import GOOD, QUIET, TITLE, seat_style, seat_text
from runner.screen.perspective import Facts, VisibleState
from runner.screen.queue_cards import CURRENT, Face, QueueCards
from runner.screen.responsive import ResponsiveLayout
from runner.screen.safe_text import clean

_SHORT = {"Assassination": "Assassin", "Conspiracy": "Conspir.", "Royal Decree": "Decree", "Shapeshifter": "Shifter"}
_WINS = "★"
_SHORTEST_NAME, _LONGEST_NAME = 8, 24
_OTHER_LINES = 4
"""Lines of the table without the queue and the lines of the seats."""
_LINES_OF_POINTS = 3
SHOWN_BY_TABLE = frozenset({"deal", "own deal"})

Queue = list[list[Face]]


def table(seen: VisibleState) -> RenderableType:
    """The table: the queue, the current decision, and the points and card locations of every player."""
    queue = _queue(seen)
    return ResponsiveLayout([_table(seen, queue, has_hands=True), _table(seen, queue, has_hands=False)])


def _table(seen: VisibleState, queue: Queue, has_hands: bool) -> RenderableType:
    """The table with the location of each card of every player, or with their points alone."""
    view = seen.view
    at, beside = view["pointer"], _OTHER_LINES + view["players"] if has_hands else _LINES_OF_POINTS
    cards: RenderableType = Text("The queue is empty.", style=QUIET)
    if queue:
        cards = QueueCards(queue, None if at is None else at - 1, _SHORT, beside)
    return Group(cards, _decision(view, queue), _Families(seen, queue) if has_hands else _points(view))


def _points(view: Facts) -> Columns:
    """The points of every player on one line, or on two with a seat beside its points."""
    points = [seat_text(seat) + Text(f" {points}", style=TITLE) for seat, points in enumerate(view["points"])]
    return Columns([Text("Points", style=QUIET), *points], padding=(0, 2, 0, 0))


def _queue(seen: VisibleState) -> Queue:
    """The queue, with the hidden cards that the perspective may see."""
    known = {seat: iter(own["hidden"]) for seat, own in seen.owns.items()}
    return [[_face(card, known) for card in stack] for stack in seen.view["queue"]]


def _face(card: Facts, known: dict[int, Iterator[Facts]]) -> Face:
    owner, name = card["owner"], card["card"]
    if not card["revealed"] and owner in known:
        name = next(known[owner])["card"]
    return Face(owner, name, card["revealed"], card["tokens"])


# -- what is being decided -------------------------------------------------------------------------------------------


def _decision(view: Facts, queue: Queue) -> Text:
    seat = view["actor"]
    if seat is None:
        names = " and ".join(seat_name(winner) for winner in view["winners"])
        return Text(f"{_WINS} {names}: ", style=TITLE) + Text("; ".join(view["ending"]))
    line = Text(f"{CURRENT} ", style=TITLE) + seat_text(seat)
    if view["phase"]["id"] == PLACEMENT:
        after = [seat_name(other) for other in view["still_to_place"][1:]]
        line += Text(" places a card", style=TITLE)
        line += Text(f", then {', '.join(after)}" if after else ", last of the round", style=QUIET)
    elif view["ability"] is None:
        line += Text(f" keeps or reveals position {view['pointer']}", style=TITLE)
    else:
        return line + _choice(view, queue[view["pointer"] - 1][0].name)
    return line + Text(f" · round {view['round']} of {view['rounds']}, {seat_name(view['first_player'])} first", style=QUIET)


def _choice(view: Facts, card: str | None) -> Text:
    copied = "" if card == view["ability"] else f" as a copy of the {view['ability']}"
    task = CHOOSERS[NUMBERS[view["ability"]]].task
    return Text(f"'s {card} at position {view['pointer']}{copied} has to ") + Text(task, style=TITLE)


# -- the players -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns that fit: width of the names, whether the cards in the queue are counted, widths of the cards."""

    name: int
    counts: bool
    cards: list[int]

    @classmethod
    def of(cls, seen: VisibleState, width: int) -> _Columns:
        """The columns for a width."""
        types = seen.view["rules"]["card_types"]
        longest = max(cell_len(clean(name)) for name in seen.names)
        wanted = max(_SHORTEST_NAME, min(longest, _LONGEST_NAME))
        room = width - len(f"{CURRENT} P-0  ")
        for counts in (True, False):
            cards = column_widths(types, room - len(_title(counts)) - wanted)
            if max(cards) >= WORD:
                return cls(wanted, counts, cards)
        room -= sum(cards) + len(cards) - 1
        counts = room - len(_title(True)) >= wanted
        return cls(max(0, min(wanted, room - len(_title(counts)))), counts, cards)


def _title(counts: bool) -> str:
    return "Points Queue " if counts else "Pts "


@dataclass(frozen=True, slots=True)
class _Families:
    """One line per seat: its points, and the location of each card of its family, where known."""

    seen: VisibleState
    queue: Queue

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = _Columns.of(self.seen, options.max_width)
        view = self.seen.view
        start = Text(f"{'':{columns.name + 7}}{_title(columns.counts)}", style=QUIET)
        yield start + heading(view["rules"]["card_types"], columns.cards, _SHORT)
        yield from (self._line(seat, columns) for seat in range(view["players"]))
        if max(columns.cards) < WORD:
            yield LEGEND

    def _line(self, seat: int, columns: _Columns) -> Text:
        view = self.seen.view
        wins = seat in view["winners"]
        mark = _WINS if wins else CURRENT if seat == view["actor"] else " "
        name = Text(clean(self.seen.names[seat]))
        name.truncate(columns.name, overflow="ellipsis", pad=True)
        line = Text(f"{mark} ", style=GOOD if wins else TITLE, no_wrap=True) + seat_text(seat) + Text(" ") + name
        line += Text(f" {view['points'][seat]:>{6 if columns.counts else 3}} ", style=TITLE)
        if columns.counts:
            line += Text(f"{sum(card.owner == seat for stack in self.queue for card in stack):>5} ")
        return line + location_line(self._places(seat), columns.cards, seat_style(seat))

    def _places(self, seat: int) -> list[CardLocation]:
        view, own = self.seen.view, self.seen.owns.get(seat)
        where = dict.fromkeys(view["discarded"][seat], CardLocation.OUT)
        for stack in self.queue:
            for card in stack:
                if card.owner == seat and card.name is not None:
                    where[card.name] = CardLocation.REVEALED if card.is_revealed else CardLocation.HIDDEN
        if own is not None:
            where |= dict.fromkeys(own["hand"], CardLocation.HAND)
            where |= dict.fromkeys(own["removed"], CardLocation.REMOVED)
        return [where.get(name, CardLocation.UNKNOWN) for name in view["rules"]["card_types"]]


def reference(seen: VisibleState) -> RenderableType:
    """What each card of a family is good for."""
    rows = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False)
    rows.add_column(no_wrap=True, style=TITLE)
    rows.add_column(no_wrap=True, overflow="ellipsis", style=QUIET)
    for name in seen.view["rules"]["card_types"]:
        card = TYPES[NUMBERS[name]]
        rows.add_row(name, card.in_short or card.text)
    title = Rule(Text("Place a card a round; keep it hidden for a token, or reveal it", style=TITLE), align="left", style=QUIET)
    return Group(title, rows)
