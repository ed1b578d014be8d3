"""Page of the replay viewer: position, events, table, prompts and answers, keys."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from games.core import PHASE
from runner.record.decisions import LoggedDecision
from runner.record.highlights import highlights_in, remarks_on_decision
from runner.screen.game_screens import reference_of, screen_of, shown_by_table
from runner.screen.highlight_list import highlight_lines
from runner.screen.narrator import Narrator
from runner.screen.palette import HIGHLIGHT, HIGHLIGHT_SIGN, QUIET, TITLE
from runner.screen.pane_layout import CHART_WIDTH, MatchPanes
from runner.screen.player.panel import panel, thoughts_panel
from runner.screen.player.viewer import THOUGHTS, Viewer
from runner.screen.safe_text import clean
from runner.screen.seat_labels import called_of_records, labels_of_records
from runner.screen.seat_states import SeatState, SeatStates, columns_of_seats
from runner.screen.story import Story
from runner.screen.table_pane import Room, TablePane
from runner.screen.win_shares import ShareBars, ShareChart

_SIDE_BY_SIDE = 130
_SHORT_HELP = "→ next  ← back  ↑↓ round  n highlight  t texts  v view  / search  ? keys  q quit"
_SHORT_HELP_OF_REVIEW = "→ next  ← back  ↑↓ round  n highlight  m mark  t texts  v view  ? keys  q quit"
_DECISIONS = 60
"""Decisions that the story goes back."""
_HELP = (
    ("space, →", "next decision"),
    ("←", "previous decision"),
    ("↓ ↑", "next, previous round or turn"),
    ("number ⏎", "go to that decision"),
    ("g G", "first, last decision"),
    ("x p c s", "next invalid answer, penalty, challenge, score; X P C S: previous"),
    ("t, ⏎", "show question, messages, reply, thoughts, cost"),
    ("T", "show the whole thoughts"),
    ("PgUp PgDn j k", "scroll"),
    ("v V", "next, previous view: all, public, each seat; only if opened with --view all"),
    ("a", "start, stop automatic play"),
    ("+ -", "faster, slower"),
    ("n N", f"next, previous highlight ({HIGHLIGHT_SIGN}); during a search its matches"),
    ("/", "search all texts; Esc instead of a text ends the search"),
    ("m M", "next, previous marked decision of a review"),
    ("q, Esc", "quit"),
)


class Page:
    """The whole terminal, as the viewer sees it."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        header = viewer.decisions.index.header
        self._labels = labels_of_records(header["seats"])
        self._names = tuple(clean(seat.get("name"), 60) for seat in header["seats"])
        self._has_talk = bool(header.get("talk"))
        self._room = Room()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or console.height
        if self._viewer.has_help or self._viewer.opened:
            yield from self._with_texts(console, options, width, height)
        else:
            yield from console.render(self._match(width), options.update_dimensions(width, height))

    def _match(self, width: int) -> MatchPanes:
        """The match in its panes."""
        viewer, decision, story = self._viewer, self._viewer.decision, self._story()
        chances = () if viewer.review is None else viewer.review.chances_up_to(decision.number, viewer.perspective)
        return MatchPanes(
            title=self.position,
            table=self._table(decision, has_bars=width < CHART_WIDTH or not chances),
            story=story.happened(),
            minds=story.minds() if viewer.has_thoughts or self._has_talk else None,
            mixed=story.mixed(),
            seats=self._seats(decision),
            seat_rows=-(-len(self._names) // columns_of_seats(len(self._names), width)),
            footer=self._footer(),
            chart=ShareChart(chances) if chances else None,
            chart_rows=len(self._names),
        )

    def _table(self, decision: LoggedDecision, has_bars: bool = True) -> TablePane:
        """The table. `has_bars`: with the shares of the win, which no chart beside it shows."""
        viewer, game = self._viewer, self._viewer.decisions.game
        seen = viewer.perspective.visible(decision.state, self._names, has_story=True)
        review = viewer.review
        shares = () if review is None or not has_bars else review.shares(decision.number, decision.state, viewer.perspective)
        return TablePane(screen_of(game)(seen), reference_of(game, seen), ShareBars(shares) if shares else None, self._room)

    def _story(self) -> Story:
        """The last decisions: the one on view plainly, those before it dimmed."""
        viewer, story = self._viewer, Story()
        narrator = Narrator(viewer.perspective, viewer.has_thoughts, self._labels)
        shown = shown_by_table(viewer.decisions.game)
        for decision in viewer.decisions.up_to(viewer.decision.number, _DECISIONS):
            is_on_view = decision.number == viewer.decision.number
            remarks = remarks_on_decision(decision)
            events = narrator.events(decision.events, remarks, shown)
            events = events or (narrator.events(decision.events, remarks) if is_on_view else [])
            told = [*narrator.outcomes(decision), *events]
            story.tell(narrator.thoughts(decision), is_mind=True)
            story.tell([*told, *self._graded(decision)] if is_on_view else [_dimmed(line) for line in told])
            story.tell(narrator.talk(decision.talk), is_mind=True)
        if viewer.decision.state.has_ended:
            story.tell(highlight_lines(viewer.decisions.game, viewer.highlights, narrator))
        return story

    def _seats(self, decision: LoggedDecision) -> SeatStates:
        """How the seat on view has decided, and those before it in the same phase."""
        seats = [SeatState() for _ in self._names]
        for made in _of_its_phase(self._viewer.decisions.up_to(decision.number, len(seats))):
            if (record := made.record) is not None:
                seats[record["seat"]].decide(self._viewer.perspective.how(record))
        alive = decision.state.view(None).get("alive") or [True] * len(seats)
        names = called_of_records(self._viewer.decisions.index.header["seats"])
        return SeatStates(seats, 0.0, decision.state.setup.options.strikes, [not is_in for is_in in alive], names)

    def _with_texts(self, console: Console, options: ConsoleOptions, width: int, height: int) -> RenderResult:
        """The keys, or the texts of the decision: beside the table where there is room."""
        top = self._lines(console, options, self.position, width)
        bottom = self._lines(console, options, self._footer(), width)
        room = max(1, height - len(top) - len(bottom))
        body = self._body(console, options, width, room)
        blank = [Segment(" " * width)]
        for line in (*top, *body, *[blank] * (room - len(body)), *bottom):
            yield from line
            yield Segment.line()

    def _lines(self, console: Console, options: ConsoleOptions, what: RenderableType, width: int) -> list[list[Segment]]:
        return console.render_lines(what, options.update(width=width, height=None), pad=True)

    def _body(self, console: Console, options: ConsoleOptions, width: int, room: int) -> list[list[Segment]]:
        viewer = self._viewer
        if viewer.has_help:
            return self._lines(console, options, _help(), width)[:room]
        is_wide = width >= _SIDE_BY_SIDE
        side = width // 2 if is_wide else width
        draw = thoughts_panel if viewer.opened == THOUGHTS else panel
        texts = self._scrolled(self._lines(console, options, draw(viewer.decision, viewer.perspective), side), room)
        if not is_wide:
            return texts
        left = width - side - 1
        table = console.render_lines(self._table(viewer.decision), options.update_dimensions(left, room))
        return _beside(table, texts, left, room)

    def _scrolled(self, lines: list[list[Segment]], room: int) -> list[list[Segment]]:
        self._viewer.scroll = max(0, min(self._viewer.scroll, len(lines) - room))
        return lines[self._viewer.scroll : self._viewer.scroll + room]

    @property
    def position(self) -> Text:
        """The decision on view: its number, round, phase and view."""
        viewer, state = self._viewer, self._viewer.decision.state
        line = Text(f"{viewer.decisions.game.title} ", style=TITLE)
        line += Text(f"decision {viewer.decision.number} of {viewer.decisions.last}", style="bold cyan")
        line += Text(f" · {state.game.round_word} {state.round} · {state.phase.name} · view {viewer.perspective.name}")
        playing = f" · playing, {viewer.pause:g} s per step" if viewer.is_playing else ""
        sign = f" · {HIGHLIGHT_SIGN}" if highlights_in(viewer.decision, viewer.perspective.sees_all) else ""
        unfinished = "" if viewer.decisions.index.has_result else " · unfinished"
        return line + Text(sign, style=HIGHLIGHT) + Text(f"{playing}{unfinished}", style=QUIET)

    def _footer(self) -> Text:
        viewer = self._viewer
        if viewer.typed is not None:
            what = "search: " + viewer.typed[1:] if viewer.typed.startswith("/") else "go to decision: " + viewer.typed
            return Text(clean(what) + "▏")
        damage = viewer.decisions.index.damage
        said = viewer.said or (f"damaged: {damage}" if damage and viewer.decision.number == viewer.decisions.last else "")
        keys = _SHORT_HELP if viewer.review is None else _SHORT_HELP_OF_REVIEW
        return Text(clean(said), style="yellow") if said else Text(keys, style=QUIET)

    def _graded(self, decision: LoggedDecision) -> list[Text]:
        """The grade of a decision; at the end of a match without a review, how to make one."""
        viewer = self._viewer
        if viewer.review is not None:
            graded = viewer.review.graded(decision.number, decision.before, viewer.perspective)
            return [] if graded is None else [graded.line]
        if not decision.state.has_ended:
            return []
        return [Text(f"`tabletop review {clean(viewer.decisions.index.path)}` grades every decision.", style=QUIET)]


def _of_its_phase(made: Sequence[LoggedDecision]) -> list[LoggedDecision]:
    """The last decision, and those before it in the phase that it leaves the match in."""
    *before, last = made
    begins = [any(event.kind == PHASE for event in decision.events) for decision in made]
    since = len(made) - 1 if begins[-1] else max((place + 1 for place, is_new in enumerate(begins) if is_new), default=0)
    return [*before[since:], last]


def _dimmed(line: Text) -> Text:
    line = line.copy()
    line.stylize(QUIET)
    return line


def _beside(left: list[list[Segment]], right: list[list[Segment]], width: int, room: int) -> list[list[Segment]]:
    gap, empty = [Segment("│")], [Segment(" " * width)]
    rows = []
    for row in range(room):
        rows.append([*(left[row] if row < len(left) else empty), *gap, *(right[row] if row < len(right) else [])])
    return rows


def _help() -> Table:
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(no_wrap=True, style=TITLE)
    for keys, what in _HELP:
        rows.add_row(f" {keys}", what)
    return rows
