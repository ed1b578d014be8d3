"""A match as it is played, on a terminal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from games.core import PHASE, Action, Event, State
from runner.match.watcher import Watched, Watcher
from runner.screen.game_screens import screen_of
from runner.screen.header import Header, spent
from runner.screen.narrator import Narrator
from runner.screen.perspective import VisibleState
from runner.screen.region import Region
from runner.screen.seat_states import SeatState, SeatStates

_FRAMES_PER_SECOND = 8
_SHARE = 0.03
"""Of the time of a quick match, what drawing its tables may take."""
_MOST_UNTOLD = 200
"""Lines after which the story is told at once, however soon after the last frame."""


class LiveScreen(Watcher):
    """The table below, drawn anew as it changes; the story above it, which scrolls away. `pause` in seconds a step.

    What happens is only noted; it is drawn a few times a second, so that a quick match does not wait for its screen.
    """

    def __init__(
        self,
        console: Console,
        telling: Narrator,
        pause: float = 0.0,
        budget: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._telling = telling
        self._pause = pause
        self._budget = budget
        self._clock = clock
        self._region = Region(console)
        self._match: Watched | None = None
        self._drawing: asyncio.Task[None] | None = None
        self._seats: list[SeatState] = []
        self._untold: list[Text] = []
        self._scene: VisibleState | None = None
        self._table: RenderableType | None = None
        self._is_stale = False
        self._next_table = 0.0

    async def begun(self, match: Watched) -> None:
        """Draw the table for the first time, or again after a pause."""
        self._match = match
        self._seats = [SeatState() for _ in match.config.seats]
        self._table = None
        self._start()

    async def asked(self, seat: int, number: int) -> None:
        """Show a seat thinking."""
        self._seats[seat].ask(self._clock())

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """Tell of thoughts, and of an answer that did not count or was not delivered."""
        assert self._match is not None
        self._seats[seat].attempt(record)
        await self._tell(self._telling.attempt(seat, record, self._match.config.setup.options.strikes))

    async def decided(self, seat: int, action: Action | None, how: str) -> None:
        """Show that a seat has answered."""
        self._seats[seat].decide(how)

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """Tell what happened, and have the new table drawn."""
        if any(event.kind == PHASE for event in events):
            for seat in self._seats:
                seat.rest()
        self._is_stale = True
        await self._tell(self._telling.events(events))
        if self._pause:
            self.draw()
            await asyncio.sleep(self._pause)

    async def lent(self) -> None:
        """Tell what is left to tell, and take the table off the terminal."""
        self.close()

    async def returned(self) -> None:
        """Draw the table again, below what stands there now."""
        self._start()

    async def paused(self, why: str) -> None:
        """Leave the terminal as it was, with the story told."""
        self.close()

    async def ended(self, result: dict[str, Any]) -> None:
        """Leave the last table standing."""
        self.close()
        if self._match is not None:
            self._set_table(self._match)
            self._region.leave(self._table or "")

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None
        told, self._untold = self._untold, []
        self._region.hide(told)

    def _start(self) -> None:
        self.draw()
        if self._drawing is None:
            self._drawing = asyncio.create_task(self._redraw())

    async def _tell(self, lines: list[Text]) -> None:
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

    def _set_table(self, match: Watched) -> None:
        self._scene = self._telling.perspective.visible(match.state, tuple(seat.name for seat in match.config.seats))
        self._table, self._is_stale = screen_of(match.config.game)(self._scene), False

    def _show(self, match: Watched) -> None:
        assert self._scene is not None
        assert self._table is not None
        told, self._untold = self._untold, []
        alive = self._scene.view.get("alive") or [True] * len(self._seats)
        strikes, out = match.config.setup.options.strikes, [not is_in for is_in in alive]
        top = Header(match.state, spent(match.tallies, self._budget))
        self._region.show(told, top, self._table, SeatStates(self._seats, self._clock(), strikes, out))
