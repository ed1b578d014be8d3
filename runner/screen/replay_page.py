"""Page of the replay viewer: position, events, table, prompts and answers, keys."""

import json
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.rule import Rule
from rich.segment import SegmentLines
from rich.text import Text

from games.core import PHASE, as_told
from games.scenes import in_words, shown_by_table
from runner.errors import LogDamagedError, in_log
from runner.film.perspective import Perspective
from runner.match.records import AttemptRecord
from runner.record.decisions import DecisionList, LoggedDecision, highlights_in, no_decision, remarks_on_decision
from runner.record.reader import read_sound_part
from runner.review.kept_reviews import review_path
from runner.screen.consoles import results
from runner.screen.full_screen import FullScreen
from runner.screen.keys import REPLAY, SUSPEND, Keyboard, help_on, suspend
from runner.screen.line_breaks import HangingText
from runner.screen.narrator import Narrator, quotation, thoughts
from runner.screen.palette import BAD, GOOD, HIGHLIGHT, HIGHLIGHT_SIGN, NOTE_SIGN, NOTED, QUIET, TITLE, player_text
from runner.screen.pane_layout import CHART_WIDTH, MatchBody, MatchPanes, TablePane
from runner.screen.replay_viewer import NOTE, Viewer
from runner.screen.result import highlight_lines
from runner.screen.safe_text import block, clean, plain
from runner.screen.scene_rich import SceneTable, rules_of
from runner.screen.seat_labels import labels_of
from runner.screen.seat_states import SeatState, SeatStates
from runner.screen.seen_review import ShareChart, kept_seen_review, known_in, share_pane
from runner.screen.story import Story
from runner.screen.transcript import NO_COMMENTS, Comments, caster_line

_SIDE_BY_SIDE = 130
"""Columns from which the texts of a decision stand beside the table."""
_SHORT_HELP = "→ next  ← back  ↑↓ round  n highlight  {}⏎ texts  v view  {}? keys  q quit"
_TYPED = {"/": "search", NOTE: "note"}
_DECISIONS = 60
"""Decisions that the story goes back."""
_LOOK = 0.2
"""Seconds between checks of the window size."""
_HOW = {"answer": "answered", "forced": "had no choice", "strike_out": "was struck out"}


def panel(decision: LoggedDecision, perspective: Perspective, has_thoughts_only: bool = False) -> RenderableType:
    """The texts of a decision that the perspective may see: question, messages, replies, cost; or the whole thoughts alone."""
    record = decision.record
    if record is None:
        return Text("No decision yet.", style=QUIET)
    names = labels_of(decision.log.header["seats"])
    title = Text(f"Decision {decision.number}: ", style=TITLE) + player_text(record["seat"], names)
    title += Text(f" {_HOW.get(how := perspective.how(record), clean(how))}")
    if not perspective.reads(record["seat"]):
        what = "thoughts" if has_thoughts_only else "question and the answers"
        hidden = f"The {what} of {names[record['seat']]} are hidden in the view {as_told(perspective.name, names)}."
        return Group(title, Text(hidden, style=QUIET))
    if has_thoughts_only:
        found = [text for attempt in decision.attempts if (text := thoughts(attempt))]
        parts = [part for text in found for part in (Rule(style=QUIET), block(text, "italic"))]
        return Group(title, *(parts or [Text("The log has no thoughts on this decision.", style=QUIET)]))
    if record["action"] is not None:
        words, _ = in_words(decision.asked or decision.before, record["seat"], record["action"])
        title += block(f": {words}")
    question = decision.question
    asked = () if question is None else (f"Asked as {question['role'].replace('_', ' ')}", question["text"])
    told = [block(text, style) for text, style in zip(asked, (QUIET, ""), strict=False)]
    return Group(title, *told, *(part for attempt in decision.attempts for part in _attempt(decision, attempt)))


def _attempt(decision: LoggedDecision, attempt: AttemptRecord) -> Iterator[RenderableType]:
    yield Rule(style=QUIET)
    if attempt["outcome"] == "answer":
        yield Text("✓ answer ", style=GOOD) + block(json.dumps(attempt.get("answer"), ensure_ascii=False))
    elif attempt["outcome"] == "policy":
        yield Text("p policy ", style=GOOD) + block(json.dumps(attempt.get("policy"), ensure_ascii=False))
    else:
        what = f" ({clean(attempt['what'], 40)})" if attempt.get("what") else ""
        yield Text(f"✗ {clean(attempt['outcome'], 40)}{what} ", style=BAD) + block(attempt.get("why", ""), longest=2000)
    for message in decision.log.messages(attempt):
        yield Text(f"[{clean(message.get('role'), 40)}]", style="bold cyan")
        yield block(message["content"], QUIET)
    if found := thoughts(attempt):
        yield Text("[thoughts]", style="bold magenta")
        yield block(found, "italic")
    if attempt.get("say"):
        yield Text("[says] ", style="bold magenta") + block(quotation(attempt["say"]))
    if reply := attempt.get("reply"):
        yield Text("[reply]", style="bold green")
        yield block(reply.get("text") or "(empty)")
        yield Text(spent_line(attempt), style=QUIET)


def spent_line(attempt: AttemptRecord) -> str:
    """Model and provider of an attempt, tokens, cost and latency."""
    reply = attempt.get("reply") or {}
    usage = reply.get("usage") or {}
    parts = [clean(reply[name], 80) for name in ("model", "provider") if reply.get(name)]
    if usage:
        parts.append(f"{usage.get('prompt_tokens', 0)} + {usage.get('completion_tokens', 0)} tokens")
    if reply.get("cost") is not None:
        parts.append(f"${reply['cost']:.6f}")
    if attempt.get("latency") is not None:
        parts.append(f"{attempt['latency']:.2f} s")
    return " · ".join(parts)


class Page:
    """The whole terminal, as the viewer sees it: the match in its panes, the keys, or the texts of the decision on view."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._header = viewer.decisions.log.header

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        viewer, width = self._viewer, options.max_width
        if not (viewer.has_help or viewer.opened):
            yield self._match(width)
            return
        page, body = Layout(), Layout()
        page.split_column(Layout(self.position, size=1), body, Layout(self._footer(width), size=1))
        if viewer.has_help:
            body.update(_Scrolled(viewer, Group(help_on(REPLAY), Text(), rules_of(viewer.frame.scene))))
        else:
            texts = Layout(_Scrolled(viewer, panel(viewer.decision, viewer.perspective, viewer.opened == "thoughts")))
            line = Layout(Text("│\n" * (options.height or console.height)), size=1)
            body.split_row(*([Layout(self._table(viewer.decision)), line] if width >= _SIDE_BY_SIDE else []), texts)
        yield page

    def _match(self, width: int) -> MatchPanes:
        viewer, decision = self._viewer, self._viewer.decision
        chances = () if viewer.review is None else viewer.review.chances(viewer.perspective)[: decision.number + 1]
        table = self._table(decision, has_bars=width < CHART_WIDTH or not chances)
        has_minds = viewer.has_thoughts or bool(self._header.get("talk"))
        chart = ShareChart(chances, viewer.names) if chances else None
        known = f"Share of the win, {known_in(viewer.perspective.name, viewer.names)}"
        body = MatchBody(table, self._story(), has_minds, chart, self._header["players"], chart_title=known)
        return MatchPanes(self.position, body, self._seats(decision), self._footer(width))

    def _table(self, decision: LoggedDecision, has_bars: bool = True) -> TablePane:
        """The table. `has_bars`: with the shares of the win, which no chart beside it shows."""
        review, scene = self._viewer.review if has_bars else None, self._viewer.frame.scene
        shares = review.shares(decision.number, decision.state, self._viewer.perspective) if review is not None else ()
        bars = share_pane(shares, self._viewer.names, self._viewer.perspective.name) if shares else None
        return TablePane(SceneTable(scene, has_story=True), bars)

    def _story(self) -> Story:
        """The last decisions: the one on view plainly, those before it dimmed."""
        viewer, story = self._viewer, Story()
        narrator = Narrator(viewer.perspective, viewer.has_thoughts).of(self._header["seats"])
        shown = shown_by_table(viewer.decisions.game)
        for decision in viewer.decisions.up_to(viewer.decision.number, _DECISIONS):
            is_on_view, remarks = decision.number == viewer.decision.number, remarks_on_decision(decision)
            if is_on_view:
                lines = [line for frame in viewer.frames[: viewer.shown] for line in frame.lines]
                strikes = decision.state.setup.options.strikes
                told = narrator.framed(lines, strikes, shown) or narrator.framed(lines, strikes)
                story.tell([*told, *([] if viewer.is_midway else self._graded(decision))])
                story.tell(map(caster_line, () if viewer.is_midway else viewer.said_here))
                if note := viewer.notes.get(decision.number):
                    story.tell([plain(f"{NOTE_SIGN} {note}", NOTED)])
            else:
                events = narrator.events(decision.events, remarks, shown)
                story.tell(map(_dimmed, [*narrator.attempts(decision), *events]))
        if viewer.decision.state.has_ended and not viewer.is_midway:
            story.tell(highlight_lines(viewer.decisions.game, viewer.highlights, narrator))
        return story

    def _graded(self, decision: LoggedDecision) -> list[Text]:
        """The grade of a decision; at the end of a match without a review, how to make one."""
        viewer = self._viewer
        if viewer.review is not None:
            graded = viewer.review.graded(decision.number, decision.before, viewer.perspective)
            return [] if graded is None else [graded.line]
        path = viewer.decisions.log.path
        return [plain(f"`tabletop review {path}` grades every decision.", QUIET)] if decision.state.has_ended else []

    def _seats(self, decision: LoggedDecision) -> SeatStates:
        seats = [SeatState() for _ in self._header["seats"]]
        for made in _of_its_phase(self._viewer.decisions.up_to(decision.number, len(seats))):
            if (record := made.record) is not None:
                seats[record["seat"]].decide(self._viewer.perspective.how(record))
        out, strikes = self._viewer.frame.scene.out, decision.state.setup.options.strikes
        return SeatStates(seats, 0.0, strikes, out, self._viewer.names)

    @property
    def position(self) -> Text:
        """The decision on view: its number, round, phase and view."""
        viewer = self._viewer
        line = Text(f"{viewer.decisions.game.title} ", style=TITLE)
        line += Text(f"decision {viewer.decision.number} of {viewer.decisions.last}", style="bold cyan")
        line += Text(f" · {viewer.frame.header} · view {as_told(viewer.perspective.name, viewer.names)}")
        playing = f" · playing, {viewer.pause:g} s per step" if viewer.is_playing else ""
        sign = f" · {HIGHLIGHT_SIGN}" if highlights_in(viewer.decision, viewer.perspective.sees_all) else ""
        sign += f" · {NOTE_SIGN}" if viewer.decision.number in viewer.notes else ""
        unfinished = "" if viewer.decisions.log.result else " · unfinished"
        return line + Text(sign, style=HIGHLIGHT) + Text(f"{playing}{unfinished}", style=QUIET)

    def _footer(self, width: int) -> Text:
        viewer = self._viewer
        if viewer.typed is not None:
            what = _TYPED.get(viewer.typed[0])
            said = clean(f"go to decision: {viewer.typed}" if what is None else f"{what}: {viewer.typed[1:]}")
            room = width - 1
            return Text((said if len(said) <= room else "…" + said[1 - room :]) + "▏")
        damage = viewer.decisions.damage
        said = viewer.said or (f"damaged: {damage}" if damage and viewer.decision.number == viewer.decisions.last else "")
        more = ("", "/ search  ") if viewer.review is None else ("m mark  ", "")
        return plain(said, "yellow") if said else Text(_SHORT_HELP.format(*more), style=QUIET)


@dataclass(frozen=True, slots=True)
class _Scrolled:
    """As many lines as fit, from the one that the viewer has scrolled to."""

    viewer: Viewer
    part: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines, room = console.render_lines(self.part, options.update(height=None)), options.height or options.max_height
        self.viewer.scroll = start = max(0, min(self.viewer.scroll, len(lines) - room))
        self.viewer.top = "".join(segment.text for segment in lines[start]) if lines else ""
        yield SegmentLines(lines[start : start + room], new_lines=True)


def _of_its_phase(made: Sequence[LoggedDecision]) -> list[LoggedDecision]:
    """The last decision, and those before it in the phase that it leaves the match in."""
    *before, last = made
    begins = [any(event.kind == PHASE for event in decision.events) for decision in made]
    since = len(made) - 1 if begins[-1] else max((place + 1 for place, is_new in enumerate(begins) if is_new), default=0)
    return [*before[since:], last]


def _dimmed(line: Text) -> Text:
    if isinstance(line, HangingText):
        return line
    line = line.copy()
    line.stylize(QUIET)
    return line


# -- the loop --------------------------------------------------------------------------------------------------------


class Left(NamedTuple):
    """The command that somebody leaves a replay for, empty for none, the decision on view, and the top line of its texts, empty
    where they are closed."""

    verb: str
    at: int
    line: str


def show(
    path: Path,
    view: str,
    at: int,
    pause: float,
    has_thoughts: bool = False,
    has_motion: bool = True,
    comments: Comments = NO_COMMENTS,
) -> Left:
    """Step through a log on a terminal; `comments` on it may still come. LogDamagedError when it cannot be opened."""
    log = read_sound_part(path)
    review = kept_seen_review(log) if review_path(path).exists() else None
    with in_log(path):
        eye = Perspective.of_header(view, log.header)
        viewer = Viewer(DecisionList(log), eye, pause, has_thoughts, review, has_motion, comments)
    if at > viewer.decisions.last:
        raise no_decision(at, viewer.decisions.last)
    viewer.go(at)
    console = results()
    try:
        with _ending_by_signal(), Keyboard() as keyboard:
            _run(console, keyboard, viewer)
        if not (viewer.is_alone or viewer.verb):
            console.print(Page(viewer).position)
            again = f"tabletop replay {clean(path, 4096)} --at {viewer.decision.number}"
            console.print(f"Continue with `{again}`.", soft_wrap=True)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        line = viewer.decision.line
        raise LogDamagedError(line, f"a record at or before this line is incomplete ({error!r}).") from error
    return Left(viewer.verb, viewer.decision.number, viewer.top if viewer.opened == "texts" else "")


def _run(console: Console, keyboard: Keyboard, viewer: Viewer) -> None:
    page, screen = Page(viewer), FullScreen(console)
    due, drawn = 0.0, None

    def leave() -> None:
        screen.hide()
        keyboard.__exit__()

    try:
        while not viewer.has_quit:
            if drawn != (look := (console.size, len(viewer.said_here))):
                drawn = look
                screen.show(page)
            key = keyboard.read(max(0.0, min(_LOOK, due - time.monotonic())) if viewer.is_playing else _LOOK)
            if key == SUSPEND:
                suspend(leave, keyboard.__enter__)
            elif key is not None:
                viewer.press(key)
            elif viewer.is_playing and time.monotonic() >= due:
                viewer.tick()
            else:
                continue
            due, drawn = time.monotonic() + viewer.delay, None
    finally:
        screen.hide()


@contextmanager
def _ending_by_signal() -> Iterator[None]:
    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
