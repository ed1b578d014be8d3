"""Seen review: a match's review as perspectives may see it: graded decisions, shares of the win as bars, the worst ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Self

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

import games
from games.core import Answer, State, as_told
from games.scenes import asked_of, in_words
from games.search.grading import FAULTS, GradeName
from games.search.playouts import LONGEST, shares_of
from games.telling import skill_and_luck
from runner.film.perspective import EVERYTHING, PUBLIC, Perspective
from runner.record.decisions import decisions
from runner.record.reader import Log
from runner.review.decision_review import DecisionEntry
from runner.review.kept_reviews import kept_review, restricted
from runner.review.review_document import ReviewDocument, SeatEntry
from runner.screen.line_breaks import ByWidth, on_a_line
from runner.screen.palette import BAD, GOOD, QUIET, TITLE, player_text, seat_style, seat_text
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labels_of

_HEIGHTS = " ▁▂▃▄▅▆▇█"
_FULL, _EMPTY = "█", "·"
_LABELS = len("   100 %  ")
_SHORTEST_NAME = 3
_SHORTEST_BAR, _LONGEST_BAR = 4, 30
_WIDEST_COLUMN = 4
_MOST_COLUMNS, _MOST_LETTERS = 400, 20


def percent(share: float | None) -> str:
    """A share in percent; empty for None."""
    return "" if share is None else f"{100 * share:.0f} %"


def signed(share: float | None) -> str:
    """A difference of shares in percent, with its sign; empty for None."""
    return "" if share is None else f"{100 * share:+.0f} %"


def share_bars(shares: Sequence[float], names: Sequence[str], width: int) -> list[Text]:
    """Each player's share of the win as a bar, the players beside one another in `width` columns, in two lines if need be."""
    longest, half = max(map(cell_len, names)), -(-len(shares) // 2)
    in_a_row = max(1, width // (longest + _LABELS), min(half, width // (_SHORTEST_NAME + _LABELS)))
    cell = width // min(in_a_row, len(shares))
    longest = max(_SHORTEST_NAME, min(longest, cell - _LABELS))
    room = min(_LONGEST_BAR, left) if (left := cell - longest - _LABELS) >= _SHORTEST_BAR else 0
    cells = []
    for seat, share in enumerate(shares):
        full = round(share * room)
        bar = ((_FULL * full, seat_style(seat)), (_EMPTY * (room - full), QUIET), f" {percent(share):>5}")
        cells.append(player_text(seat, names, longest) + Text.assemble(" ", *bar))
        cells[-1].pad_right(max(0, cell - cells[-1].cell_len))
    return [Text().join(cells[start : start + in_a_row]) for start in range(0, len(cells), in_a_row)]


def known_in(view: str, names: Sequence[str]) -> str:
    """What the shares of the win before decisions are estimated from in a view; a grade has those from what its seat knew."""
    who = "everybody" if view == PUBLIC else as_told(view, names)
    return "all cards known" if view == EVERYTHING else f"from what {who} knows"


def share_pane(shares: Sequence[float], names: Sequence[str], view: str) -> ByWidth:
    """Each player's share of the win as a bar below a title."""
    title = Text(f"Share of the win, {known_in(view, names)}", style=QUIET)
    return ByWidth(lambda width: [title, *share_bars(shares, names, width)])


@dataclass(frozen=True, slots=True)
class ShareChart:
    """A line of bars for each player: the share of the win before each decision. It takes the width that there is."""

    chances: Sequence[Sequence[float]]
    names: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        count, longest = len(self.chances), min(_MOST_LETTERS, max(map(cell_len, self.names)))
        room = min(_MOST_COLUMNS, max(1, options.max_width - longest - _LABELS + 3))
        widest = _WIDEST_COLUMN if console.is_terminal else 1
        columns = count * min(widest, room // count) if count <= room else room
        for seat, last in enumerate(self.chances[-1]):
            shares = [self.chances[column * count // columns][seat] for column in range(columns)]
            bars = "".join(_HEIGHTS[round(share * (len(_HEIGHTS) - 1))] for share in shares)
            told = Text(f" {bars} {percent(last):>5}", style=seat_style(seat))
            yield player_text(seat, self.names, longest) + told


SIGNS: Mapping[GradeName, str] = dict(zip(FAULTS, ("?!", "?", "??"), strict=True))
"""The signs of chess."""

STYLES: Mapping[GradeName, str] = {
    "best": GOOD,
    "good": QUIET,
    "unsure": QUIET,
    "forced": QUIET,
    "inaccuracy": "yellow",
    "mistake": "bold yellow",
    "blunder": BAD,
}
_LONGEST, _LONGEST_EFFECT = 100, 300


class Words(NamedTuple):
    """An answer in words: the names of its steps, as the menu of choices has them, and what they do."""

    names: str
    effects: str

    @classmethod
    def of(cls, before: State, seat: int, answer: Answer | None, players: Sequence[str]) -> Self:
        """An answer in a state, with the names of the players; its values where the rules refuse it."""
        names, effects = (as_told(words, players) for words in in_words(before, seat, answer))
        return cls(clean(names, _LONGEST), clean(effects, _LONGEST_EFFECT))


class GradedDecision:
    """A decision with its grade, in words. Shares are those of the win, from 0 to 1."""

    def __init__(self, entry: DecisionEntry, before: State, names: Sequence[str]) -> None:
        """`before`: the state in which the decision was made. `names`: of the players."""
        seat = entry["seat"]
        asked, cards = clean(asked_of(before, seat), _LONGEST), _cards(before, seat)
        self.who = player_text(seat, names)
        self.number, self.seat, self.grade = entry["decision"], seat, entry["grade"]
        self.share, self.best_share, self.given_up = entry["share"], entry["best_share"], entry["given_up"]
        self.played, self.better = (Words.of(before, seat, entry[which], names) for which in ("answer", "best"))
        self.sign = SIGNS.get(self.grade, "")
        """The sign of a fault; empty for any other grade."""
        self.loss = f"{percent(self.given_up)} ± {percent(entry['se'])}"
        """What was given up, with its standard error."""
        self.known = f"{asked} · {cards}" if cards else asked
        """What the seat was asked, and the cards that the seat held."""

    @property
    def line(self) -> Text:
        """The grade in one line: what was given up, and what would have been better."""
        style, share, best = STYLES[self.grade], percent(self.share), percent(self.best_share)
        knew = f"from what {self.who} knew"
        if self.sign:
            head = Text.assemble((f"{self.sign} ", style), self.who, f" gave up {self.loss} of the win")
            return head + Text(f"; better: {self.better.names} ({best}, not {share}, {knew})")
        if self.grade == "best":
            return Text(f"Best answer found: {self.played.names} ({share} of the win, {knew})", style=style)
        if self.grade == "unsure":
            words = f"Depends on later play; best found: {self.better.names} ({best}, played: {share}, {knew})"
            return Text(words, style=style)
        return Text(f"Good answer; best found: {self.better.names} ({best}, played: {share}, {knew})", style=style)


def _cards(before: State, seat: int) -> str:
    """The first list of the seat's own facts, which is its hand, where it holds names or numbers."""
    hand = next((value for value in before.view(seat)["own"].values() if isinstance(value, list)), [])
    return clean(", ".join(map(str, hand)), _LONGEST) if all(isinstance(card, str | int) for card in hand) else ""


class SeenReview:
    """A review of a log by perspective: each sees what it may know of a whole one; a restricted one has its own alone."""

    def __init__(self, log: Log, document: ReviewDocument) -> None:
        self._log, self._whole, self._names = log, document, labels_of(log.header["seats"])
        self.document = cache(self._seen)
        """The review as a perspective may see it; None where there is none."""
        self._entries = cache(self._by_number)

    def _seen(self, perspective: Perspective) -> ReviewDocument | None:
        if perspective.name == self._whole.get("view", EVERYTHING):
            return self._whole
        if "view" in self._whole:
            return None
        return kept_review(self._log, perspective.name) or restricted(self._whole, perspective.name, [])

    def _by_number(self, perspective: Perspective) -> dict[int, DecisionEntry]:
        document = self.document(perspective)
        return {} if document is None else {one["decision"]: one for one in document["decisions"]}

    def chances(self, perspective: Perspective) -> Sequence[Sequence[float]]:
        """Each seat's share of the win before every decision; nothing where it is not known."""
        document = self.document(perspective)
        return [] if document is None else document["chances"]

    def shares(self, number: int, state: State, perspective: Perspective) -> Sequence[float]:
        """Each seat's share of the win in the state after a decision (0: the deal); nothing where it is not known."""
        chances = self.chances(perspective)
        return shares_of(state) if chances and state.has_ended else next(iter(chances[number : number + 1]), ())

    def graded(self, number: int, before: State, perspective: Perspective) -> GradedDecision | None:
        """A decision with its grade, from the state before it; None for one without a grade that the perspective may know, and
        for a forced one, which has no alternative."""
        entry = self._entries(perspective).get(number)
        return None if entry is None or entry["grade"] == "forced" else GradedDecision(entry, before, self._names)

    def marked(self, perspective: Perspective) -> list[int]:
        """The numbers of the decisions with the sign of a fault, in order."""
        return sorted(number for number, entry in self._entries(perspective).items() if entry["grade"] in SIGNS)


def kept_seen_review(log: Log) -> SeenReview | None:
    """The review that is kept beside a log; None without one."""
    document = kept_review(log)
    return None if document is None else SeenReview(log, document)


# -- the review of a match as `tabletop review` prints it -------------------------------------------------------------

_WIDE = 110
"""Columns from which a decision is a row of a table; below it takes three lines."""

_STORY_WIDTH = 84
"""Columns from which the table of seats has the story of luck and skill."""

_LONGEST_NAME = 60


def review_screen(document: ReviewDocument, log: Log, seat: int | None, worst: int) -> RenderableType:
    """The review of a log; `seat` shows the decisions of one seat alone, `worst` is the number of decisions listed."""
    game = games.load(document["game"]).title
    view = f" · view {document['view']}" if "view" in document else ""
    head = Text(clean(f"{game}: {document['log']}"), style=TITLE)
    head += Text(f" · {document['playouts']} playouts a decision{view}", style=QUIET)
    names = labels_of(log.header["seats"])
    ended = [one for one in document["seats"] if one["seat"] == seat and one["result"] is not None]
    stories = [Text(as_told(skill_and_luck(one), names)) for one in ended]
    seats = ByWidth(lambda width: [*_seats(document["seats"], names, width), *stories])
    faults, known = _worst(document, log, names, seat, worst), known_in(document.get("view", EVERYTHING), names)
    above = f"; above: {known}" if document["chances"] else ""
    title = Text(f"Win share before decisions 1 to {len(document['chances'])}, {known}", style=QUIET)
    chart: list[RenderableType] = [title, ShareChart(document["chances"], names), ""] if document["chances"] else []
    return Group(head, seats, "", *chart, *_listed(faults, worst, above), *_left_out(document, names))


def _seats(seats: Sequence[SeatEntry], names: Sequence[str], width: int) -> Iterator[Table]:
    """A row for each seat; a narrow one leaves out the story of luck and skill."""
    has_story = width >= _STORY_WIDTH
    rows = Table(box=None, pad_edge=False, header_style=QUIET)
    rows.add_column("")
    rows.add_column("player", overflow="ellipsis", no_wrap=True, max_width=_LONGEST_NAME)
    for name in ("graded", "given up", "95 %", "??", "?", "?!", *(("start", "skill", "luck", "result") if has_story else ())):
        rows.add_column(name, justify="right", no_wrap=True)
    for one in seats:
        interval = "" if one["interval"] is None else " to ".join(map(percent, one["interval"]))
        counts = (str(one[name]) for name in ("blunders", "mistakes", "inaccuracies"))
        story = (percent(one["start"]), signed(one["skill"]), signed(one["luck"]), percent(one["result"])) if has_story else ()
        figures = (str(one["decisions"]), percent(one["given_up"]), interval, *counts, *story)
        rows.add_row(seat_text(one["seat"]), clean(names[one["seat"]], _LONGEST_NAME), *figures)
    yield rows


def _worst(document: ReviewDocument, log: Log, names: Sequence[str], seat: int | None, most: int) -> list[GradedDecision]:
    faults = [one for one in document["decisions"] if one["grade"] in SIGNS and seat in (None, one["seat"])]
    listed = {one["decision"]: one for one in sorted(faults, key=lambda one: -one["given_up"])[:most]}
    told = decisions(log) if listed else ()
    before = {decision.number: decision.before for decision in told if decision.number in listed}
    return [GradedDecision(entry, before[number], names) for number, entry in listed.items() if number in before]


def _listed(faults: list[GradedDecision], most: int, above: str) -> Iterator[RenderableType]:
    if faults:
        yield Text("Worst decisions by win share given up (± standard error)", QUIET)
        yield Text(f"Shares below: from what each seat knew when it decided{above}", QUIET)
        yield ByWidth(lambda width: [_table(faults)] if width >= _WIDE else _lines(faults))
    elif most:
        yield Text("No decision gave away 5 % of the win or more.", style=GOOD)


def _table(faults: list[GradedDecision]) -> Table:
    rows = Table(box=None, pad_edge=False, header_style=QUIET)
    for name in ("decision", "", "known", "played", "share", "better", "share", "given up ± se"):
        is_figure = name in ("decision", "share", "given up ± se")
        rows.add_column(name, justify="right" if is_figure else "left", no_wrap=is_figure)
    for one in faults:
        played, better = (one.played.names, percent(one.share)), (one.better.names, percent(one.best_share))
        rows.add_row(str(one.number), _mark(one), one.known, *played, *better, one.loss)
    return rows


def _lines(faults: list[GradedDecision]) -> Iterator[Text]:
    for one in faults:
        yield on_a_line(Text(f"{one.number:>4} ") + _mark(one) + Text(f" {one.loss}  ") + Text(one.known, style=QUIET))
        yield on_a_line(Text(f"     played {percent(one.share):>5}  {one.played.names}"))
        yield on_a_line(Text(f"     better {percent(one.best_share):>5}  {one.better.names}"))


def _mark(fault: GradedDecision) -> Text:
    return fault.who + Text(f" {fault.sign:<2}", style=STYLES[fault.grade])


def _left_out(document: ReviewDocument, names: Sequence[str]) -> Iterator[RenderableType]:
    reasons: dict[str, list[str]] = {}
    for one in document["not_graded"]:
        reasons.setdefault(one["why"], []).append(f"{one['decision']} ({names[one['seat']]})")
    for why, numbers in reasons.items():
        yield Text(clean(f"Not graded, because {why}: {', '.join(numbers)}.", 4000), style=QUIET)
    if cut := document.get("cut"):
        yield Text(f"{cut:,} playouts were stopped after {LONGEST:,} decisions: they count what the game expects.", QUIET)
