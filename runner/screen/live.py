"""A match as it is played, on a terminal."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live

from games.core import PHASE, Action, Event, State
from runner.match.loop import Match
from runner.match.watcher import Watcher
from runner.screen.drawing import drawing_of
from runner.screen.header import Doing, doings, header
from runner.screen.scene import Perspective
from runner.screen.story import attempt_line, event_line

_FRAMES_PER_SECOND = 8


class LiveScreen(Watcher):
    """The table below, redrawn as it changes; the story above it, which scrolls away. `pause` in seconds a step."""

    def __init__(self, console: Console, perspective: Perspective, pause: float = 0.0) -> None:
        self._console = console
        self._perspective = perspective
        self._pause = pause
        self._match: Match | None = None
        self._drawing: asyncio.Task[None] | None = None
        self._doings: list[Doing] = []
        self._table: RenderableType = ""
        self._live = self._new_live()

    def _new_live(self) -> Live:
        return Live(
            console=self._console,
            get_renderable=self._draw,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
        )

    async def begun(self, match: Match) -> None:
        """Draw the table for the first time."""
        self._match = match
        self._doings = [Doing() for _ in match.config.seats]
        self._update(match.state)
        self._start()

    async def asked(self, seat: int, number: int) -> None:
        """Show a seat thinking."""
        self._doings[seat].since = time.monotonic()

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """Tell of an answer that did not count."""
        assert self._match is not None
        if line := attempt_line(seat, record, self._match.config.setup.options.strikes, self._perspective.reads(seat)):
            self._live.console.print(line)

    async def decided(self, seat: int, action: Action | None, how: str) -> None:
        """Show that a seat has answered."""
        said = {
            "answer": "answered",
            "forced": "had no choice",
            "moot": "answered too late to count",
            "strike_out": "struck out",
        }
        self._doings[seat].since, self._doings[seat].said = None, said[how]

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """Tell what happened and draw the new table."""
        for event in self._perspective.heard(events):
            if event.kind != PHASE:
                self._live.console.print(event_line(event))
        if state.path:
            for doing in self._doings:
                doing.said = ""
        self._update(state)
        if self._pause:
            await asyncio.sleep(self._pause)

    async def lent(self) -> None:
        """Take the table off the terminal."""
        self._stop()

    async def returned(self) -> None:
        """Draw the table again, below what is there now."""
        self._live = self._new_live()
        self._start()

    async def paused(self, why: str) -> None:
        """Leave the terminal as it was."""
        self._stop()

    async def ended(self, result: dict[str, Any]) -> None:
        """Leave the last table standing."""
        table = self._table
        self._stop()
        self._console.print(table)

    async def _redraw(self) -> None:
        """Draw again and again, on the event loop: a thread that draws beside one that prints leaves lines behind."""
        while True:
            await asyncio.sleep(1 / _FRAMES_PER_SECOND)
            self._live.refresh()

    def _start(self) -> None:
        self._live.start()
        self._drawing = asyncio.create_task(self._redraw())

    def _stop(self) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
        self._live.stop()

    def _update(self, state: State) -> None:
        assert self._match is not None
        names = tuple(seat.name for seat in self._match.config.seats)
        self._table = drawing_of(self._match.config.game)(self._perspective.scene(state, names))

    def _draw(self) -> RenderableType:
        if self._match is None:
            return ""
        match = self._match
        return Group(
            header(match.config.game.title, match.state, match.tallies),
            self._table,
            doings(self._doings, time.monotonic()),
        )
