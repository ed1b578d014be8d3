"""Review screen: the seats of a reviewed match, its win shares as a chart, and its worst decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

import games
from games.core import seat_name
from runner.record.decisions import decisions
from runner.record.reader import Log
from runner.review.review_document import ReviewDocument, SeatEntry
from runner.screen.graded_decision import SIGNS, STYLES, GradedDecision, graded_decision
from runner.screen.palette import GOOD, QUIET, TITLE, seat_text
from runner.screen.safe_text import clean
from runner.screen.win_shares import ShareChart, percent, signed

_WIDE = 110
"""Columns from which a decision is a row of a table; below it takes three lines."""

_STORY_WIDTH = 84
"""Columns from which the table of seats has the story of luck and skill."""

_LONGEST_NAME = 60


def review_screen(document: ReviewDocument, log: Log, seat: int | None, worst: int) -> RenderableType:
    """The review of a log; `seat` shows the decisions of one seat alone, `worst` is the number of decisions listed."""
    title = games.load(document["game"]).title
    view = f" · view {document['view']}" if "view" in document else ""
    head = Text(clean(f"{title}: {document['log']}"), style=TITLE)
    head += Text(f" · {document['playouts']} playouts a decision{view}", style=QUIET)
    faults = _worst(document, log, seat, worst)
    return Group(head, _Seats(document["seats"]), "", *_chart(document), *_listed(faults, worst), *_left_out(document))


class _Seats:
    """A row for each seat; a narrow one leaves out the story of luck and skill."""

    def __init__(self, seats: Sequence[SeatEntry]) -> None:
        self._seats = seats

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        has_story = options.max_width >= _STORY_WIDTH
        rows = Table(box=None, pad_edge=False, header_style=QUIET)
        rows.add_column("")
        rows.add_column("player", overflow="ellipsis", no_wrap=True, max_width=_LONGEST_NAME)
        story = ("start", "skill", "luck", "result") if has_story else ()
        for name in ("graded", "given up", "95 %", "??", "?", "?!", *story):
            rows.add_column(name, justify="right", no_wrap=True)
        for one in self._seats:
            figures = [*_figures(one), *(_story(one) if has_story else ())]
            rows.add_row(seat_text(one["seat"]), clean(one["player"], _LONGEST_NAME), *figures)
        yield rows


def _figures(seat: SeatEntry) -> Iterator[str]:
    yield str(seat["decisions"])
    yield percent(seat["given_up"])
    yield "" if seat["interval"] is None else " to ".join(map(percent, seat["interval"]))
    yield from (str(seat[name]) for name in ("blunders", "mistakes", "inaccuracies"))


def _story(seat: SeatEntry) -> tuple[str, ...]:
    return percent(seat["start"]), signed(seat["skill"]), signed(seat["luck"]), percent(seat["result"])


def _chart(document: ReviewDocument) -> Iterator[RenderableType]:
    if chances := document["chances"]:
        known = f"as {document['view']} can estimate it" if "view" in document else "hidden cards known"
        yield Text(f"Win share before decisions 1 to {len(chances)}, {known}", style=QUIET)
        yield ShareChart(chances)
        yield ""


def _worst(document: ReviewDocument, log: Log, seat: int | None, most: int) -> list[GradedDecision]:
    """The faults that gave up most, those of one seat or of all."""
    faults = [one for one in document["decisions"] if one["grade"] in SIGNS and seat in (None, one["seat"])]
    listed = {one["decision"]: one for one in sorted(faults, key=lambda one: -one["given_up"])[:most]}
    told = decisions(log) if listed else ()
    before = {decision.number: decision.before for decision in told if decision.number in listed}
    found = [graded_decision(entry, before[number]) for number, entry in listed.items() if number in before]
    return [one for one in found if one is not None]


def _listed(faults: list[GradedDecision], most: int) -> Iterator[RenderableType]:
    if faults:
        yield _Faults(faults)
    elif most:
        yield Text("No decision gave away 5 % of the win or more.", style=GOOD)


class _Faults:
    """The worst decisions: a row each where the width allows it, else three lines each."""

    def __init__(self, faults: list[GradedDecision]) -> None:
        self._faults = faults

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width >= _WIDE:
            yield self._table()
        else:
            yield Text("Worst decisions by win share given up (± standard error)", style=QUIET)
            for fault in self._faults:
                yield from _lines(fault)

    def _table(self) -> Table:
        rows = Table(box=None, pad_edge=False, header_style=QUIET)
        for name in ("decision", "", "known", "played", "share", "better", "share", "given up ± se"):
            is_figure = name in ("decision", "share", "given up ± se")
            rows.add_column(name, justify="right" if is_figure else "left", no_wrap=is_figure)
        for one in self._faults:
            shares = percent(one.share), percent(one.best_share)
            rows.add_row(
                str(one.number), _mark(one), one.known, one.played.names, shares[0], one.better.names, shares[1], one.loss
            )
        return rows


def _lines(fault: GradedDecision) -> Iterator[RenderableType]:
    yield _cut(Text(f"{fault.number:>4} ") + _mark(fault) + Text(f" {fault.loss}  ") + Text(fault.known, style=QUIET))
    for what, share, words in (("played", fault.share, fault.played.names), ("better", fault.best_share, fault.better.names)):
        yield _cut(Text(f"     {what} {percent(share):>5}  {words}"))


def _cut(line: Text) -> Text:
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def _mark(fault: GradedDecision) -> Text:
    return seat_text(fault.seat) + Text(f" {fault.sign:<2}", style=STYLES[fault.grade])


def _left_out(document: ReviewDocument) -> Iterator[RenderableType]:
    reasons: dict[str, list[str]] = {}
    for one in document["not_graded"]:
        reasons.setdefault(one["why"], []).append(f"{one['decision']} ({seat_name(one['seat'])})")
    for why, numbers in reasons.items():
        yield Text(clean(f"Not graded, because {why}: {', '.join(numbers)}.", 4000), style=QUIET)
