"""DixiQuote on screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from games.core import seat_name
from runner.screen.palette import QUIET, TITLE, points_text, seat_style, seat_text
from runner.screen.perspective import Facts, VisibleState
from runner.screen.responsive import ResponsiveLayout
from runner.screen.safe_text import clean, plain

_BAR = 20
_TELLS = "★"
_GAP = 2
_SHORTEST_NAME, _LONGEST_NAME = 4, 20
_BESIDE_NAME = len("P-0  123 tells")


SHOWN_BY_TABLE = frozenset({"deal", "draw", "own", "choose", "submit", "vote", "reveal", "card"})


def table(seen: VisibleState) -> RenderableType:
    """The table: scores, quote, cards, last round and visible hands. If it is too high, hands are shortened and omitted
    first, then the last round; scores, quote and cards stay."""
    return ResponsiveLayout([_Layout(seen, size) for size in _SIZES])


class _Size(NamedTuple):
    """How much is drawn: hands in full, by line, or only the cards played; the last round with its cards or as points only;
    scores and quote in few lines; situations in full or cut to one line. `is_tight`: scores without names, and nothing beside
    the quote and the cards.
    """

    hands: str = "whole"
    has_short_round: bool = False
    is_short: bool = False
    is_cut: bool = False
    is_tight: bool = False


_SIZES = (
    _Size(),
    _Size("line"),
    _Size("played"),
    _Size("played", is_short=True),
    _Size("played", is_short=True, is_cut=True),
    _Size("line", has_short_round=True, is_short=True),
    _Size("played", has_short_round=True, is_short=True, is_cut=True),
    _Size(is_short=True, is_cut=True, is_tight=True),
)
_LINES_BESIDE_SCORES = 18
"""Lines of room beside the scores from which each seat has a line for its score."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The table in one size."""

    seen: VisibleState
    size: _Size

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        view, size = self.seen.view, self.size
        is_short = size.is_short or (self.seen.has_story and options.max_height < view["players"] + _LINES_BESIDE_SCORES)
        scores = _tight_scores if size.is_tight else _short_scores if is_short else _scores
        yield scores(self.seen, options.max_width)
        if view["quote"] is not None:
            yield _short_quote(view, size.is_cut) if is_short else _quote(view)
        if view["table"] and self.seen.has_menu:
            return
        if view["table"]:
            yield _cards(self.seen, size, is_short)
        if view["table"] or size.is_tight:
            return
        if view["history"]:
            yield from self._round(size.has_short_round and not view["winners"])
        for seat, own in {} if self.seen.has_menu else self.seen.owns.items():
            if _owes_a_card(view, seat):
                yield from _played(seat, own) if size.hands == "played" else (_hand(seat, own, size.hands == "line"),)

    def _round(self, is_short: bool) -> Iterator[RenderableType]:
        """The last round. Its points are left out where a story tells them."""
        done, has_points = self.seen.view["history"][-1], not self.seen.has_story
        if not is_short:
            yield _last_round(self.seen.view, self.size, has_points)
        elif has_points:
            yield _points(done)


def _scores(seen: VisibleState, width: int) -> Table:
    """One line per seat. If there is too little room, bars are omitted first, then names are cut."""
    view = seen.view
    of = f" of {view['target_score']}"
    longest = max(cell_len(clean(name)) for name in seen.names)
    room = width - len(" P-0    -99  Storyteller ") - len(of) - _GAP
    has_bars = room - longest > _BAR
    rows = Table(box=None, padding=(0, 1), show_header=False)
    for cells in (len("P-0"), max(_SHORTEST_NAME, min(longest, room)), None, None):
        rows.add_column(no_wrap=True, overflow="ellipsis", width=cells)
    for seat, score in enumerate(view["scores"]):
        role = Text("Storyteller", style=TITLE) if seat == view["storyteller"] else Text("")
        points = Text(f"{score:>3}{of}") + (_bar(seat, score / view["target_score"]) if has_bars else Text(""))
        rows.add_row(seat_text(seat), plain(seen.names[seat]), points, role)
    return rows


def _bar(seat: int, share: float) -> Text:
    filled = max(0, min(_BAR, round(_BAR * share)))
    return Text(" ") + Text("━" * filled, style=seat_style(seat)) + Text("─" * (_BAR - filled), style=QUIET)


def _short_scores(seen: VisibleState, width: int) -> Table:
    """The scores in two columns, or more if they fit."""
    view = seen.view
    longest = max(cell_len(clean(name)) for name in seen.names)
    columns = max(2, (width + _GAP) // (min(longest, _LONGEST_NAME) + _BESIDE_NAME + _GAP))
    room = min(longest, max(1, (width + _GAP) // columns - _GAP - _BESIDE_NAME))
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    cells = []
    for seat, score in enumerate(view["scores"]):
        name = plain(seen.names[seat])
        name.truncate(room, overflow="ellipsis", pad=True)
        tells = Text(" tells" if seat == view["storyteller"] else "", style=TITLE)
        cells.append(seat_text(seat) + Text(" ") + name + Text(f" {score:>3}") + tells)
    for start in range(0, len(cells), columns):
        grid.add_row(*cells[start : start + columns])
    return grid


def _tight_scores(seen: VisibleState, width: int) -> Table:
    """The scores by seat alone, in as many columns as fit."""
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    cells = []
    for seat, score in enumerate(seen.view["scores"]):
        cells.append(seat_text(seat) + Text(f"{_TELLS if seat == seen.view['storyteller'] else ' '}{score:>3}"))
    columns = max(1, (width + _GAP) // (len("P-0 -99") + 1 + _GAP))
    for start in range(0, len(cells), columns):
        grid.add_row(*cells[start : start + columns])
    return grid


def _short_quote(view: Facts, is_cut: bool) -> Text:
    said = f"“{clean(view['quote'])}”" if view["quote"] else "no quote: the Storyteller was struck out"
    line = Text(f"{seat_name(view['storyteller'])} says: ", style=seat_style(view["storyteller"])) + Text(said, style="italic")
    if is_cut:
        line.no_wrap, line.overflow = True, "ellipsis"
    return line


def _add_text_column(rows: Table, title: str, is_cut: bool) -> None:
    """Add a column of situations: wrapped, or cut to one line."""
    rows.add_column(title, ratio=1, no_wrap=is_cut, overflow="ellipsis" if is_cut else "fold")


def _quote(view: Facts) -> Panel:
    words = plain(view["quote"], "italic") if view["quote"] else Text("no quote: the Storyteller was struck out", style=QUIET)
    title = Text(f"{seat_name(view['storyteller'])} says", style=seat_style(view["storyteller"]))
    return Panel(words, title=title, title_align="left", border_style=seat_style(view["storyteller"]))


def _cards(seen: VisibleState, size: _Size, is_short: bool) -> Table:
    played = {own[part]["id"]: seat for seat, own in seen.owns.items() for part in ("chosen", "submitted") if own[part]}
    votes = {seat: own["vote"] for seat, own in seen.owns.items()}
    title = None if is_short else "On the table"
    rows = Table(title=title, title_justify="left", title_style=TITLE, expand=True, box=None, show_header=False)
    rows.add_column(no_wrap=True, style=QUIET)
    _add_text_column(rows, "", size.is_cut)
    rows.add_column(no_wrap=True)
    for number, card in enumerate(seen.view["table"], 1):
        known = Text()
        if card["id"] in played:
            known += Text("by ") + seat_text(played[card["id"]])
        voters = [seat for seat, vote in votes.items() if vote == card["id"]]
        name = Text(str(number)) if seen.has_story else plain(card["id"])
        rows.add_row(name, plain(card["text"]), known + _voters(voters))
    return rows


def _voters(voters: list[int]) -> Text:
    text = Text()
    for seat in voters:
        text += Text(" ✓", style=seat_style(seat)) + seat_text(seat)
    return text


def _last_round(view: Facts, size: _Size, has_points: bool) -> RenderableType:
    done = view["history"][-1]
    title = f"Round {done['round']}"
    if done["forfeited"]:
        return Text(f"{title} was forfeited: {seat_name(done['storyteller'])} was struck out.", style=QUIET)
    quote = f": “{clean(done['quote'], 200)}”" if done["quote"] else ""
    rows = Table(title=Text(title + quote), title_justify="left", title_style=TITLE, expand=True, box=None, header_style=QUIET)
    _add_text_column(rows, "Situation", size.is_cut)
    rows.add_column("By", no_wrap=True)
    rows.add_column("Votes", no_wrap=True)
    for card in done["cards"]:
        teller = Text(f" {_TELLS}") if card["owner"] == done["storyteller"] else Text("")
        voters = _voters(card["votes"]) if card["votes"] else Text(" none", style=QUIET)
        count = Text(str(len(card["votes"])), style="bold green" if card["votes"] else QUIET)
        rows.add_row(plain(card["text"]), seat_text(card["owner"]) + teller, count + voters)
    return Group(rows, _points(done) + Text(f"({_TELLS} Storyteller)", style=QUIET)) if has_points else rows


def _points(done: Facts) -> Text:
    points = Text(f"Points of round {done['round']}: ")
    for seat, gained in enumerate(done["points"]):
        points += seat_text(seat) + Text(" ") + points_text(gained) + Text("  ")
    return points


def _owes_a_card(view: Facts, seat: int) -> bool:
    """Whether a seat has to choose a card in this phase."""
    is_teller = seat == view["storyteller"]
    if view["table"] or view["winners"]:
        return False
    return bool(view["blind_quote"]) or is_teller == (view["quote"] is None)


def _hand(seat: int, own: Facts, is_cut: bool) -> Table:
    title = Text(f"{seat_name(seat)}'s hand", style=seat_style(seat))
    rows = Table(title=title, title_justify="left", box=None, show_header=False, expand=True)
    rows.add_column(no_wrap=True, style=QUIET)
    _add_text_column(rows, "", is_cut)
    for card in own["hand"]:
        rows.add_row(plain(card["id"]), plain(card["text"]))
    for part, sign in (("chosen", "chosen"), ("submitted", "submitted")):
        if own[part]:
            rows.add_row(plain(own[part]["id"]), plain(own[part]["text"], TITLE) + Text(f"  ← {sign}", style=QUIET))
    return rows


def _played(seat: int, own: Facts) -> Iterator[Text]:
    """The card that a seat has played, on one line; nothing while it still chooses."""
    for part, word in (("chosen", "chose"), ("submitted", "submitted")):
        if own[part]:
            line = Text(f"{seat_name(seat)} {word} ", style=seat_style(seat)) + plain(own[part]["text"])
            line.no_wrap, line.overflow = True, "ellipsis"
            yield line


_ROUND = (
    "The Storyteller says a quote for a situation of their hand. The others add situations that fit it,"
    " then vote for the one they take for the Storyteller's."
)
_SCORING = {
    "revised": (
        ("some of the votes, not all", "+1 to its owner"),
        ("all the votes", "-1 to its owner"),
        ("a vote for the Storyteller's card", "+1 to the voter"),
        ("two cards with votes, the Storyteller's is one", "+1 to the Storyteller"),
    ),
    "original": (
        ("some of the votes, not all", "+2 to its owner"),
        ("no vote", "+1 to its owner"),
        ("two cards with votes", "+3 to the Storyteller"),
    ),
}


def reference(seen: VisibleState) -> RenderableType:
    """A round and its scoring in short."""
    rows = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=QUIET)
    rows.add_column("A card with", style=QUIET)
    rows.add_column("Points", no_wrap=True)
    for what, points in _SCORING.get(seen.view["scoring"], ()):
        rows.add_row(what, points)
    return Group(
        Rule(Text("Be understood by some, not by all", style=TITLE), align="left", style=QUIET),
        Text(_ROUND, style=QUIET),
        rows,
    )
