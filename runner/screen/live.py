"""Live screen: a match on a terminal while it is played."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console, RenderableType
from rich.text import Text

from games.core import PHASE, Event, Remark
from runner.match.events import MatchEvent, MatchView
from runner.match.records import Record
from runner.record.highlights import remarks_on
from runner.screen.full_screen import FullScreen
from runner.screen.game_screens import reference_of, screen_of, shown_by_table
from runner.screen.narrator import Narrator, is_highlight
from runner.screen.pane_layout import Cached, MatchPanes
from runner.screen.perspective import VisibleState
from runner.screen.seat_labels import called, labels_of
from runner.screen.seat_states import SeatState, SeatStates, columns_of_seats
from runner.screen.story import NewestLines, Story
from runner.screen.table_header import Header, StatusLine, elapsed, spent
from runner.screen.table_pane import Room, TablePane

_FRAMES_PER_SECOND = 8
_SHARE = 0.03
"""Of the time of a quick match, what drawing may take."""
_LONGEST_WAIT = 1.0
"""Seconds from one table to the next at most, however long it takes to draw."""
_MOST_NOTED = 400
"""Records that the story goes back, and that another view tells again."""
_TOLD = ("header", "decision", "attempt", "talk")
"""Kinds of records that the story tells."""
_LINES_LEFT = 5
"""Lines of the story that stay on the terminal after a pause."""


class _Noted(NamedTuple):
    """A record that the story tells, with the events and remarks of a deal or a decision."""

    record: Record
    events: tuple[Event, ...] = ()
    remarks: tuple[Remark, ...] = ()


def _noted(event: MatchEvent) -> _Noted:
    return _Noted(event.record, event.events, tuple(remarks_on(event.match.state, event.events)))


class LiveScreen:
    """Sink that draws a match in panes on the alternate screen, and leaves the last position.

    Events are only noted; the screen is drawn a few times a second, so that a quick match does not wait for it.
    """

    def __init__(
        self,
        console: Console,
        narrator: Narrator,
        budget: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console = console
        self._narrator = narrator
        self.keys: tuple[Text, ...] = ()
        self.cover: RenderableType | None = None
        self._budget = budget
        self._clock = clock
        self._screen = FullScreen(console)
        self._began = clock()
        self._match: MatchView | None = None
        self._drawing: asyncio.Task[None] | None = None
        self._seats: list[SeatState] = []
        self._story = Story()
        self._noted: deque[_Noted] = deque(maxlen=_MOST_NOTED)
        self._table: RenderableType | None = None
        self._room = Room()
        self._panes: tuple[int, tuple[Cached, Cached, Cached]] | None = None
        self._out: list[bool] = []
        self._is_stale = False
        self._next_frame = self._next_table = 0.0
        self._is_left = False

    @property
    def narrator(self) -> Narrator:
        """Whose knowledge is shown, and whether thoughts are."""
        return self._narrator

    @narrator.setter
    def narrator(self, narrator: Narrator) -> None:
        self._narrator, self._is_stale = narrator, True
        self._story.clear()
        for noted in self._noted:
            self._tell(noted)

    def recall(self, event: MatchEvent) -> None:
        """Note what happened before the match begins on this screen; the story tells it then."""
        if event.record["kind"] in _TOLD:
            self._noted.append(_noted(event))

    async def emit(self, event: MatchEvent) -> None:
        """Note what happened."""
        record = event.record
        match record["kind"]:
            case "header" | "resumed":
                self._begin(event.match)
            case "question":
                self._seats[record["seat"]].ask(self._clock(), record.get("strikes"))
            case "attempt":
                self._seats[record["seat"]].attempt(record)
                self._note(_noted(event))
            case "talk":
                self._note(_noted(event))
            case "decision":
                self._seats[record["seat"]].decide(self._narrator.perspective.how(record))
            case "moot":
                self._seats[record["seat"]].decide("moot")
            case "pause":
                self.close()
            case "result":
                self.close()
        if record["kind"] in ("header", "decision"):
            await self._change(event)

    def _begin(self, match: MatchView) -> None:
        self._match, self._is_left = match, False
        self.narrator = self._narrator.of(labels_of(match.config.seats))
        self._seats = [SeatState() for _ in match.config.seats]
        self._table = None
        self.show()

    async def _change(self, event: MatchEvent) -> None:
        if any(one.kind == PHASE for one in event.events):
            for seat in self._seats:
                seat.rest()
        self._is_stale = True
        self._note(_noted(event))
        if self._draw_if_due():
            await asyncio.sleep(0)

    def _note(self, noted: _Noted) -> None:
        self._noted.append(noted)
        self._tell(noted, self._clock())

    def _tell(self, noted: _Noted, now: float | None = None) -> None:
        """Take a record into the story; with the time `now` highlights are marked for a moment."""
        assert self._match is not None
        record, narrator, config = noted.record, self._narrator, self._match.config
        if record["kind"] == "attempt":
            thought = narrator.thought(record)
            self._story.tell([] if thought is None else [thought], is_mind=True)
            self._story.tell(narrator.outcome(record, config.setup.options.strikes))
        elif record["kind"] == "talk":
            self._story.tell(narrator.talk([record]), is_mind=True)
        for line in narrator.events(noted.events, noted.remarks, shown_by_table(config.game)):
            self._story.tell([line], flash=now if is_highlight(line) else None)

    def hide(self) -> None:
        """Leave the alternate screen."""
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None
        self._screen.hide()

    def close(self) -> None:
        """Leave the alternate screen; once a match, print its position."""
        self.hide()
        if self._match is None or self._is_left:
            return
        self._is_left = True
        told = [] if self._match.state.has_ended else [NewestLines(self._story.happened().lines[-_LINES_LEFT:])]
        table = screen_of(self._match.config.game)(self._visible(self._match, has_story=False))
        self._screen.leave([self._header(self._match, self._facts(self._match)), table, *told])

    def show(self) -> None:
        """Draw the match on the alternate screen, and keep it up to date."""
        self.draw()
        if self._drawing is None:
            self._drawing = asyncio.create_task(self._redraw())

    async def _redraw(self) -> None:
        """Draw again and again, on the event loop: a thread that draws beside one that prints leaves lines behind."""
        while True:
            await asyncio.sleep(1 / _FRAMES_PER_SECOND)
            self._draw_if_due()

    def _draw_if_due(self) -> bool:
        """Draw, if the last frame is old enough; whether it did."""
        is_due = self._screen.is_open and time.perf_counter() >= self._next_frame
        if is_due:
            self.draw(is_urgent=False)
        return is_due

    def draw(self, is_urgent: bool = True) -> None:
        """Bring the terminal up to date; the table only when it is urgent, or a while after the last one that is long against
        what it took."""
        if self._match is None:
            return
        began = time.perf_counter()
        is_new = self._table is None or (self._is_stale and (is_urgent or began >= self._next_table))
        if is_new:
            self._table, self._is_stale = self._drawn_table(self._match), False
        self._screen.show(self.page(self._match))
        ended = time.perf_counter()
        self._next_frame = ended + 0.9 / _FRAMES_PER_SECOND
        if is_new:
            self._next_table = ended + min(_LONGEST_WAIT, (ended - began) / _SHARE)

    # -- the page ----------------------------------------------------------------------------------------------------

    def page(self, match: MatchView) -> MatchPanes:
        """A match, as it was last drawn and with what was noted since, in its panes."""
        now, config = self._clock(), match.config
        self._story.tick(now)
        if self._panes is None or self._panes[0] != self._story.version:
            lines = (self._story.happened(), self._story.minds(), self._story.mixed())
            self._panes = (self._story.version, (Cached(lines[0]), Cached(lines[1]), Cached(lines[2])))
        story, minds, mixed = self._panes[1]
        for seat, done in zip(self._seats, match.progress, strict=True):
            seat.done = done
        has_minds = self._narrator.has_thoughts or config.talk
        return MatchPanes(
            title=self._header(match),
            table=self._table or "" if self.cover is None else self.cover,
            story=story,
            minds=minds if has_minds else None,
            mixed=mixed,
            seats=SeatStates(self._seats, now, config.setup.options.strikes, self._out, called(config.seats)),
            seat_rows=-(-len(self._seats) // columns_of_seats(len(self._seats), self._console.width)),
            footer=StatusLine(self._facts(match)),
        )

    def _drawn_table(self, match: MatchView) -> Cached:
        game, seen = match.config.game, self._visible(match, has_story=True)
        self._out = [not is_in for is_in in seen.view.get("alive") or [True] * len(self._seats)]
        return Cached(TablePane(screen_of(game)(seen), reference_of(game, seen), room=self._room))

    def _visible(self, match: MatchView, has_story: bool) -> VisibleState:
        names = tuple(seat.name for seat in match.config.seats)
        return self._narrator.perspective.visible(match.state, names, has_story)

    def _header(self, match: MatchView, facts: str = "") -> Header:
        return Header(match.state, facts, self._narrator.perspective.sees_all, () if facts else self.keys)

    def _facts(self, match: MatchView) -> str:
        """Tokens, cost and time so far."""
        return " · ".join(filter(None, (spent(match.tallies, self._budget), elapsed(self._clock() - self._began))))
