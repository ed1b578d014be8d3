"""Review screen: the seats of a reviewed match, its win shares as a chart, and its worst decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

import games
from games.core import seat_name
from runner.review.review_document import DecisionEntry, ReviewDocument
from runner.screen.palette import BAD, GOOD, QUIET, TITLE, seat_style, seat_text
from runner.screen.safe_text import clean

_STYLES = {"best": GOOD, "good": "", "inaccuracy": "yellow", "mistake": "bold yellow", "blunder": BAD, "forced": QUIET}
_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The signs of chess."""

_BARS = " ▁▂▃▄▅▆▇█"
_CHART = 72
"""Columns of the chart."""


def review_screen(document: ReviewDocument, seat: int | None, worst: int) -> RenderableType:
    """The review of a match; `seat` shows the decisions of one seat alone, `worst` is the number of decisions listed."""
    title = games.load(document["game"]).title
    head = Text.assemble(
        (clean(f"{title}: {document['log']}"), TITLE), (f" · {document['playouts']} playouts a decision", QUIET)
    )
    decisions = [one for one in document["decisions"] if seat in (None, one["seat"])]
    faults = sorted((one for one in decisions if one["grade"] in _SIGNS), key=lambda one: -one["given_up"])
    return Group(head, _seats(document), "", *_chart(document), *_worst(faults[:worst], worst), *_left_out(document))


def _seats(document: ReviewDocument) -> Table:
    rows = Table(box=None, pad_edge=False, header_style=QUIET)
    rows.add_column("")
    rows.add_column("player", overflow="fold")
    for name in ("graded", "given up each", "95 %", "??", "?", "?!", "start", "skill", "luck", "result"):
        rows.add_column(name, justify="right", no_wrap=True)
    for one in document["seats"]:
        low, high = one["interval"] or (None, None)
        between = "" if low is None or high is None else f"{_percent(low)} to {_percent(high)}"
        counts = (str(one["blunders"]), str(one["mistakes"]), str(one["inaccuracies"]))
        story = (_percent(one["start"]), _signed(one["skill"]), _signed(one["luck"]), _percent(one["result"]))
        figures = (str(one["decisions"]), _percent(one["given_up"]), between, *counts, *story)
        rows.add_row(seat_text(one["seat"]), clean(one["player"], 60), *figures)
    return rows


def _chart(document: ReviewDocument) -> Iterator[RenderableType]:
    """A line of bars for each seat: its share of the win before the decisions, from the true state."""
    chances = document["chances"]
    if not chances:
        return
    columns = min(_CHART, len(chances))
    yield Text(f"Share of the win before decisions 1 to {len(chances)}, hidden cards known", style=QUIET)
    for seat in range(len(chances[0])):
        shares = [chances[column * len(chances) // columns][seat] for column in range(columns)]
        bars = "".join(_BARS[round(share * (len(_BARS) - 1))] for share in shares)
        yield seat_text(seat) + Text(f" {bars} {_percent(shares[-1])}", style=seat_style(seat))
    yield ""


def _worst(faults: list[DecisionEntry], most: int) -> Iterator[RenderableType]:
    if not most:
        return
    if not faults:
        yield Text("No decision gave away 5 % of the win or more.", style=GOOD)
        return
    rows = Table(box=None, pad_edge=False, header_style=QUIET, title_justify="left")
    for name in ("decision", "", "played", "share", "better", "share", "given up"):
        rows.add_column(name, justify="right" if name in ("decision", "share", "given up") else "left")
    for one in faults:
        mark = Text(f" {_SIGNS[one['grade']]}", style=_STYLES[one["grade"]])
        given_up = f"{_percent(one['given_up'])} ± {_percent(one['se'])}"
        played, best = (_answer(answer) for answer in (one["answer"], one["best"]))
        rows.add_row(
            str(one["decision"]), seat_text(one["seat"]) + mark, played, _percent(one["share"]), best,
            _percent(one["best_share"]), given_up,
        )  # fmt: skip
    yield rows


def _left_out(document: ReviewDocument) -> Iterator[RenderableType]:
    reasons: dict[str, list[str]] = {}
    for one in document["not_graded"]:
        reasons.setdefault(one["why"], []).append(f"{one['decision']} ({seat_name(one['seat'])})")
    for why, numbers in reasons.items():
        yield Text(clean(f"Not graded, because {why}: {', '.join(numbers)}.", 4000), style=QUIET)


def _answer(answer: Mapping[str, object] | None) -> Text:
    values = [] if answer is None else [str(value) for value in answer.values() if value not in ("none", "")]
    return Text(clean(", ".join(values), 100))


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"


def _signed(share: float | None) -> str:
    return "" if share is None else f"{100 * share:+.0f} %"
