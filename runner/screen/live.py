"""Live screen: a match on a terminal while it is played."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from games.core import PHASE
from runner.match.events import MatchEvent, MatchView
from runner.screen.game_screens import screen_of
from runner.screen.hanging_text import HangingText
from runner.screen.narrator import Narrator
from runner.screen.perspective import VisibleState
from runner.screen.region import Region
from runner.screen.seat_labels import called, labels_of
from runner.screen.seat_states import SeatState, SeatStates
from runner.screen.table_header import Header, spent
from runner.screen.voices import TableWithVoices, Voice

_FRAMES_PER_SECOND = 8
_SHARE = 0.03
"""Of the time of a quick match, what drawing its tables may take."""
_MOST_VOICES = 40
_MOST_UNTOLD = 200
"""Waiting lines after which a frame is drawn at once, however recent the last one."""


class LiveScreen:
    """Sink that draws the table as it changes, with what happened scrolling away above it.

    Events are only noted; the screen is drawn a few times a second, so that a quick match does not wait for it.
    """

    def __init__(
        self,
        console: Console,
        narrator: Narrator,
        budget: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._narrator = narrator
        self.keys: tuple[Text, ...] = ()
        self.cover: RenderableType | None = None
        self._budget = budget
        self._clock = clock
        self._region = Region(console)
        self._match: MatchView | None = None
        self._drawing: asyncio.Task[None] | None = None
        self._seats: list[SeatState] = []
        self._untold: list[Text] = []
        self._scene: VisibleState | None = None
        self._table: RenderableType | None = None
        self._voices: deque[Voice] = deque(maxlen=_MOST_VOICES)
        self._is_stale = False
        self._next_table = 0.0

    @property
    def narrator(self) -> Narrator:
        """Whose knowledge is shown, and whether thoughts are."""
        return self._narrator

    @narrator.setter
    def narrator(self, narrator: Narrator) -> None:
        self._narrator, self._is_stale = narrator, True

    async def emit(self, event: MatchEvent) -> None:
        """Note what happened, and tell it above the table."""
        record = event.record
        match record["kind"]:
            case "header" | "resumed":
                self._begin(event.match)
            case "question":
                self._seats[record["seat"]].ask(self._clock(), record.get("strikes"))
            case "attempt":
                self._seats[record["seat"]].attempt(record)
                self._hear(self._narrator.thought(record))
                await self._tell(self._narrator.outcome(record, event.match.config.setup.options.strikes))
            case "talk":
                lines = self._narrator.talk([record])
                self._hear(*lines, is_public=True)
                await self._tell(lines)
            case "decision":
                self._seats[record["seat"]].decide(self._narrator.perspective.how(record))
            case "moot":
                self._seats[record["seat"]].decide("moot")
            case "pause":
                self.hide()
            case "result":
                self._end(event.match)
        if record["kind"] in ("header", "decision"):
            await self._change(event)

    def _begin(self, match: MatchView) -> None:
        self._match = match
        self._narrator = self._narrator.of(labels_of(match.config.seats))
        self._seats = [SeatState() for _ in match.config.seats]
        self._table = None
        self.show()

    async def _change(self, event: MatchEvent) -> None:
        if any(one.kind == PHASE for one in event.events):
            for seat in self._seats:
                seat.rest()
        self._is_stale = True
        await self._tell(self._narrator.change(event))

    def _hear(self, *lines: HangingText | None, is_public: bool = False) -> None:
        """Take thoughts or table talk into the panel by the table."""
        heard = [Voice(line, is_public) for line in lines if line is not None]
        self._voices += heard
        self._is_stale = self._is_stale or bool(heard)

    def _end(self, match: MatchView) -> None:
        """Leave the last table standing, without the voices."""
        self._voices.clear()
        self.hide()
        self._set_table(match)
        self._region.leave(self._table or "")

    def hide(self) -> None:
        """Tell what is left to tell, and take the table off the terminal."""
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None
        told, self._untold = self._untold, []
        self._region.hide(told)

    def show(self) -> None:
        """Draw the table below what is on the terminal, and keep it up to date."""
        self.draw()
        if self._drawing is None:
            self._drawing = asyncio.create_task(self._redraw())

    async def _tell(self, lines: Sequence[Text]) -> None:
        self._untold += lines
        if len(self._untold) >= _MOST_UNTOLD:
            self._draw(is_urgent=False)
            await asyncio.sleep(0)

    async def _redraw(self) -> None:
        """Draw again and again, on the event loop: a thread that draws beside one that prints leaves lines behind."""
        while True:
            await asyncio.sleep(1 / _FRAMES_PER_SECOND)
            self._draw(is_urgent=False)

    def draw(self) -> None:
        """Bring the terminal up to date."""
        self._draw(is_urgent=True)

    def _draw(self, is_urgent: bool) -> None:
        """Draw; a new table only when it is urgent, or a while after the last one that is long against what it took."""
        if self._match is None:
            return
        began = time.perf_counter()
        is_new = self._table is None or (self._is_stale and (is_urgent or began >= self._next_table))
        if is_new:
            self._set_table(self._match)
        self._show(self._match)
        if is_new:
            ended = time.perf_counter()
            self._next_table = ended + (ended - began) / _SHARE

    def _set_table(self, match: MatchView) -> None:
        self._scene = self._narrator.perspective.visible(match.state, tuple(seat.name for seat in match.config.seats))
        table = screen_of(match.config.game)(self._scene)
        self._table = TableWithVoices(table, tuple(self._voices)) if self._voices else table
        self._is_stale = False

    def _show(self, match: MatchView) -> None:
        assert self._scene is not None
        assert self._table is not None
        told, self._untold = self._untold, []
        alive = self._scene.view.get("alive") or [True] * len(self._seats)
        strikes, out = match.config.setup.options.strikes, [not is_in for is_in in alive]
        names = called(match.config.seats)
        for seat, done in zip(self._seats, match.progress, strict=True):
            seat.done = done
        top = Header(match.state, spent(match.tallies, self._budget), self._narrator.perspective.sees_all, self.keys)
        table = self._table if self.cover is None else self.cover
        self._region.show(told, top, table, SeatStates(self._seats, self._clock(), strikes, out, names))
