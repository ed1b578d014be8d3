"""Page of the replay viewer: position, events, table, prompts and answers, keys."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from runner.record.decisions import LoggedDecision
from runner.record.highlights import highlights_in
from runner.screen.game_screens import screen_of
from runner.screen.hanging_text import HangingText
from runner.screen.highlight_list import highlight_lines
from runner.screen.narrator import Narrator
from runner.screen.palette import HIGHLIGHT, HIGHLIGHT_SIGN, QUIET, TITLE
from runner.screen.player.panel import panel, thoughts_panel
from runner.screen.player.viewer import THOUGHTS, Viewer
from runner.screen.responsive import MaxHeight
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labels_of_records
from runner.screen.win_shares import share_bars

_SIDE_BY_SIDE = 130
_SHORT_HELP = "→ next  ← back  ↑↓ round  n highlight  t texts  v view  / search  ? keys  q quit"
_SHORT_HELP_OF_REVIEW = "→ next  ← back  ↑↓ round  n highlight  m mark  t texts  v view  ? keys  q quit"
_TALL = 16
"""Lines of room from which the win shares take one of them."""
_HELP = (
    ("space, →", "next decision"),
    ("←", "previous decision"),
    ("↓ ↑", "next, previous round or turn"),
    ("number ⏎", "go to that decision"),
    ("g G", "first, last decision"),
    ("x p c s", "next invalid answer, penalty, challenge, change of score; X P C S: previous"),
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
        self._labels = labels_of_records(viewer.decisions.index.header["seats"])
        self._names = tuple(clean(seat.get("name"), 60) for seat in viewer.decisions.index.header["seats"])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or console.height
        top = self._lines(console, options, self._position(), width)
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
        texts: list[list[Segment]] | None = None
        if viewer.opened:
            is_wide = width >= _SIDE_BY_SIDE
            side = width // 2 if is_wide else width
            draw = thoughts_panel if viewer.opened == THOUGHTS else panel
            texts = self._scrolled(self._lines(console, options, draw(viewer.decision, viewer.perspective), side), room)
            if not is_wide:
                return texts
            width -= side
        main = self._main(console, options, width - (texts is not None), room)
        if texts is None:
            return self._scrolled(main, room)
        return _beside(main[:room], texts, width, room)

    def _scrolled(self, lines: list[list[Segment]], room: int) -> list[list[Segment]]:
        self._viewer.scroll = max(0, min(self._viewer.scroll, len(lines) - room))
        return lines[self._viewer.scroll : self._viewer.scroll + room]

    def _position(self) -> Text:
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

    def _main(self, console: Console, options: ConsoleOptions, width: int, room: int) -> list[list[Segment]]:
        """What happened above the table; cut if the page does not fit."""
        viewer, decision = self._viewer, self._viewer.decision
        drawn = screen_of(viewer.decisions.game)(viewer.perspective.visible(decision.state, self._names))
        told, bars = self._told(decision), self._bars(width, room)
        table = self._lines(console, options, Group(Text(), MaxHeight(drawn, room - len(told) - len(bars) - 1)), width)
        table += self._lines(console, options, Group(*bars), width) if bars else []
        lines = self._lines(console, options, Group(*told), width)
        if len(lines) + len(table) > room and not viewer.scroll:
            lines = self._lines(console, options, Group(*_cut(console, told, width, room - len(table))), width)
        return lines + table

    def _told(self, decision: LoggedDecision) -> list[Text]:
        viewer = self._viewer
        narrator = Narrator(viewer.perspective, viewer.has_thoughts, self._labels)
        found = viewer.highlights if decision.state.has_ended else []
        best = highlight_lines(viewer.decisions.game, found, narrator)
        return [*narrator.logged(decision), *self._graded(decision), *best]

    def _graded(self, decision: LoggedDecision) -> list[Text]:
        """The grade of a decision; at the end of a match without a review, how to make one."""
        viewer = self._viewer
        if viewer.review is not None:
            graded = viewer.review.graded(decision.number, decision.before, viewer.perspective)
            return [] if graded is None else [graded.line]
        if not decision.state.has_ended:
            return []
        return [Text(f"`tabletop review {clean(viewer.decisions.index.path)}` grades every decision.", style=QUIET)]

    def _bars(self, width: int, room: int) -> list[Text]:
        """Each seat's share of the win, where a review has it and the height allows it."""
        viewer = self._viewer
        if viewer.review is None or room < _TALL:
            return []
        shares = viewer.review.shares(viewer.decision.number, viewer.decision.state, viewer.perspective)
        return [Text("Share of the win", style=QUIET), *share_bars(shares, width)] if shares else []


def _cut(console: Console, told: list[Text], width: int, room: int) -> list[Text]:
    """The texts in this many lines, if each of them takes only one; what a player thinks and says gets the lines left over."""
    left, lines = max(0, room - len(told)), list[Text]()
    for text in told:
        if isinstance(text, HangingText):
            first = text.first_lines(console, width, 1 + left)
            left -= len(first) - 1
            lines += first
        else:
            text.no_wrap, text.overflow = True, "ellipsis"
            lines.append(text)
    return lines


def _beside(left: list[list[Segment]], right: list[list[Segment]], width: int, room: int) -> list[list[Segment]]:
    gap, empty = [Segment("│")], [Segment(" " * (width - 1))]
    rows = []
    for row in range(room):
        rows.append([*(left[row] if row < len(left) else empty), *gap, *(right[row] if row < len(right) else [])])
    return rows


def _help() -> Text:
    return Text("\n").join(Text(f"  {keys:<16}", style=TITLE) + Text(what) for keys, what in _HELP)
