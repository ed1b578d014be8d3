"""The player's screen: where one is, what happened, the table, the texts, the keys."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from runner.record.decisions import LoggedDecision
from runner.screen.game_screens import drawing_of
from runner.screen.narrator import Telling
from runner.screen.palette import QUIET, TITLE
from runner.screen.player.panel import panel
from runner.screen.player.viewer import Viewer
from runner.screen.safe_text import clean

_SIDE_BY_SIDE = 130
_SHORT_HELP = "space/→ next  ← back  ↑↓ round  N⏎ jump  t texts  v view  a play  / search  ? keys  q quit"
_HELP = (
    ("space, →", "next decision"),
    ("←", "the one before"),
    ("↓ ↑", "next round, round before"),
    ("number ⏎", "that decision"),
    ("g G", "first, last"),
    ("x p c s", "next invalid answer, penalty, challenge, change of score; X P C S back"),
    ("t, ⏎", "question, messages, reply, reasoning, cost"),
    ("PgUp PgDn j k", "scroll"),
    ("v V", "whose eyes: all, public, each seat"),
    ("a", "play by itself, stop"),
    ("+ -", "faster, slower"),
    ("/ n N", "search in the texts, next hit, hit before"),
    ("q, Esc", "quit"),
)


class Page:
    """What a viewer sees, as tall and wide as the terminal."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._names = tuple(clean(seat.get("name"), 60) for seat in viewer.decisions.index.header["seats"])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or console.height
        top = self._lines(console, options, self._where(), width)
        bottom = self._lines(console, options, self._foot(), width)
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
        if viewer.has_texts:
            is_wide = width >= _SIDE_BY_SIDE
            side = width // 2 if is_wide else width
            texts = self._scrolled(self._lines(console, options, panel(viewer.decision, viewer.perspective), side), room)
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

    def _where(self) -> Text:
        viewer, state = self._viewer, self._viewer.decision.state
        line = Text(f"{viewer.decisions.game.title} ", style=TITLE)
        line += Text(f"decision {viewer.decision.number} of {viewer.decisions.last}", style="bold cyan")
        line += Text(f" · round {state.round} · {state.phase.name} · seen by {viewer.perspective.name}")
        playing = f" · playing, {viewer.pause:g} s a step" if viewer.is_playing else ""
        unfinished = "" if viewer.decisions.index.has_result else " · unfinished"
        return line + Text(f"{playing}{unfinished}", style=QUIET)

    def _foot(self) -> Text:
        viewer = self._viewer
        if viewer.typed is not None:
            what = "search: " + viewer.typed[1:] if viewer.typed.startswith("/") else "go to decision: " + viewer.typed
            return Text(clean(what) + "▏")
        damage = viewer.decisions.index.damage
        said = viewer.said or (f"damaged: {damage}" if damage and viewer.decision.number == viewer.decisions.last else "")
        return Text(clean(said), style="yellow") if said else Text(_SHORT_HELP, style=QUIET)

    def _main(self, console: Console, options: ConsoleOptions, width: int, room: int) -> list[list[Segment]]:
        """What happened over the table; each happening cut to one line where the whole does not fit."""
        viewer, decision = self._viewer, self._viewer.decision
        drawn = drawing_of(viewer.decisions.game)(viewer.perspective.scene(decision.state, self._names))
        table = self._lines(console, options, Group(Text(), drawn), width)
        story = self._story(decision)
        lines = self._lines(console, options, Group(*story), width)
        if len(lines) + len(table) > room and not viewer.scroll:
            for line in story:
                line.no_wrap, line.overflow = True, "ellipsis"
            lines = self._lines(console, options, Group(*story), width)
        return lines + table

    def _story(self, decision: LoggedDecision) -> list[Text]:
        viewer = self._viewer
        telling = Telling(viewer.perspective, viewer.has_thoughts)
        return telling.decision(decision.attempts, decision.events, decision.state.setup.options.strikes)


def _beside(left: list[list[Segment]], right: list[list[Segment]], width: int, room: int) -> list[list[Segment]]:
    gap, empty = [Segment("│")], [Segment(" " * (width - 1))]
    rows = []
    for row in range(room):
        rows.append([*(left[row] if row < len(left) else empty), *gap, *(right[row] if row < len(right) else [])])
    return rows


def _help() -> Text:
    return Text("\n").join(Text(f"  {keys:<16}", style=TITLE) + Text(what) for keys, what in _HELP)
