"""Oriflamme on screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from games.core import seat_name
from games.oriflamme.cards import NUMBERS, TYPES
from games.oriflamme.phases import PLACEMENT
from runner.screen.card_locations import LEGEND, WORD, Whereabouts, column_widths, heading, whereabouts_line
from runner.screen.palette import GOOD, QUIET, TITLE, seat_style, seat_text
from runner.screen.queue_cards import CURRENT, Face, QueueCards
from runner.screen.safe_text import clean
from runner.screen.scene import Scene

_SHORT = {"Assassination": "Assassin", "Conspiracy": "Conspir.", "Royal Decree": "Decree", "Shapeshifter": "Shifter"}
_WINS = "★"
_SHORTEST_NAME, _LONGEST_NAME = 8, 24
_OTHER_LINES = 4
"""Lines of the table beside the queue and a line for each seat."""

Queue = list[list[Face]]


def table(scene: Scene) -> RenderableType:
    """The whole table: the queue, what is being decided, and of every player the points and where the cards are."""
    view, queue = scene.view, _queue(scene)
    at = view["pointer"]
    cards: RenderableType = Text("The queue is empty.", style=QUIET)
    if queue:
        cards = QueueCards(queue, None if at is None else at - 1, _SHORT, _OTHER_LINES + view["players"])
    return Group(cards, _decision(view, queue), _Families(scene, queue))


def _queue(scene: Scene) -> Queue:
    """The queue with those hidden cards named that the perspective may know."""
    known = {seat: iter(own["hidden"]) for seat, own in scene.owns.items()}
    return [[_face(card, known) for card in stack] for stack in scene.view["queue"]]


def _face(card: dict[str, Any], known: dict[int, Iterator[dict[str, Any]]]) -> Face:
    owner, name = card["owner"], card["card"]
    if not card["revealed"] and owner in known:
        name = next(known[owner])["card"]
    return Face(owner, name, card["revealed"], card["tokens"])


# -- what is being decided -------------------------------------------------------------------------------------------


def _decision(view: dict[str, Any], queue: Queue) -> Text:
    seat = view["actor"]
    if seat is None:
        names = " and ".join(seat_name(winner) for winner in view["winners"])
        return Text(f"{_WINS} {names}: ", style=TITLE) + Text("; ".join(view["ending"]))
    line = Text(f"{CURRENT} ", style=TITLE) + seat_text(seat)
    if view["phase"]["id"] == PLACEMENT:
        after = [seat_name(other) for other in view["still_to_place"][1:]]
        line += Text(" places a card", style=TITLE)
        line += Text(f", then {', '.join(after)}" if after else ", the last to do so", style=QUIET)
    elif view["ability"] is None:
        line += Text(f" keeps or reveals position {view['pointer']}", style=TITLE)
    else:
        return line + _choice(view, queue[view["pointer"] - 1][0].name)
    return line + Text(f" · round {view['round']} of {view['rounds']}, {seat_name(view['first_player'])} first", style=QUIET)


def _choice(view: dict[str, Any], card: str | None) -> Text:
    copied = "" if card == view["ability"] else f" as a copy of the {view['ability']}"
    task = TYPES[NUMBERS[view["ability"]]].task
    return Text(f"'s {card} at position {view['pointer']}{copied} has to ") + Text(task, style=TITLE)


# -- the players -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Columns:
    """What fits beside each other: the names of the players, whether the cards in the queue are counted, the cards."""

    name: int
    counts: bool
    cards: list[int]

    @classmethod
    def of(cls, scene: Scene, width: int) -> _Columns:
        """The columns for a width."""
        types = scene.view["rules"]["card_types"]
        longest = max(cell_len(clean(name)) for name in scene.names)
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
    """A line for each seat: its points, and where each card of its family is, as far as the perspective knows."""

    scene: Scene
    queue: Queue

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = _Columns.of(self.scene, options.max_width)
        view = self.scene.view
        start = Text(f"{'':{columns.name + 7}}{_title(columns.counts)}", style=QUIET)
        yield start + heading(view["rules"]["card_types"], columns.cards, _SHORT)
        yield from (self._line(seat, columns) for seat in range(view["players"]))
        if max(columns.cards) < WORD:
            yield LEGEND

    def _line(self, seat: int, columns: _Columns) -> Text:
        view = self.scene.view
        wins = seat in view["winners"]
        mark = _WINS if wins else CURRENT if seat == view["actor"] else " "
        name = Text(clean(self.scene.names[seat]))
        name.truncate(columns.name, overflow="ellipsis", pad=True)
        line = Text(f"{mark} ", style=GOOD if wins else TITLE, no_wrap=True) + seat_text(seat) + Text(" ") + name
        line += Text(f" {view['points'][seat]:>{6 if columns.counts else 3}} ", style=TITLE)
        if columns.counts:
            line += Text(f"{sum(card.owner == seat for stack in self.queue for card in stack):>5} ")
        return line + whereabouts_line(self._places(seat), columns.cards, seat_style(seat))

    def _places(self, seat: int) -> list[Whereabouts]:
        view, own = self.scene.view, self.scene.owns.get(seat)
        where = dict.fromkeys(view["discarded"][seat], Whereabouts.OUT)
        for stack in self.queue:
            for card in stack:
                if card.owner == seat and card.name is not None:
                    where[card.name] = Whereabouts.REVEALED if card.is_revealed else Whereabouts.HIDDEN
        if own is not None:
            where |= dict.fromkeys(own["hand"], Whereabouts.HAND)
            where |= dict.fromkeys(own["removed"], Whereabouts.REMOVED)
        return [where.get(name, Whereabouts.UNKNOWN) for name in view["rules"]["card_types"]]
