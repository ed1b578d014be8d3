"""Pacing: how long each step of a match stays on the screen before the next one, and pauses."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from runner.match.match_state import MatchEvent

SPEEDS = (5.0, 3.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.0)
"""Seconds a step that keys choose from, the slowest first."""
NATURAL = 1.0
"""Seconds a public event without a chosen speed."""
ALL_OF_IT = float("inf")
"""The time after all steps."""


def next_speed(seconds: float, step: int) -> float:
    """The next faster (1) or slower (-1) of the speeds."""
    nearest = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - seconds))
    return SPEEDS[max(0, min(len(SPEEDS) - 1, nearest + step))]


Wait = Callable[[asyncio.Event, float | None], Awaitable[None]]
"""Returns when the event is set, or after this many seconds; None: never."""


async def _wait(changed: asyncio.Event, seconds: float | None) -> None:
    with suppress(TimeoutError):  # not wait_for: in Python 3.11 it loses a cancellation that comes together with the event
        async with asyncio.timeout(seconds):
            await changed.wait()


class Pacing:
    """Delays what a screen shows. Seats are asked meanwhile, so the time that they think is part of the delay. `weigh` says how
    long a step is shown, in units of the speed; it is called when the step begins.

    While it is paused, no further step is shown and no seat is asked; calls under way end and are logged. While `is_behind`,
    steps are shown at once, to catch up with a match that another process plays.
    """

    is_behind = False
    _rests = False

    def __init__(
        self,
        seconds: float,
        weigh: Callable[[MatchEvent], float] = lambda event: 1.0 + len(event.said),
        clock: Callable[[], float] = time.monotonic,
        wait: Wait = _wait,
    ) -> None:
        self.seconds, self.weigh, self._clock, self._wait = seconds, weigh, clock, wait
        self._changed = asyncio.Event()
        self._since, self._weight, self._steps = 0.0, 0.0, 0
        self._paused: float | None = None

    @property
    def is_paused(self) -> bool:
        """Whether no further step is shown until somebody continues."""
        return self._paused is not None

    @property
    def takes_time(self) -> bool:
        """Whether steps are shown one after the other."""
        return self.seconds > 0 and not self.is_behind

    @property
    def passed(self) -> float:
        """How much of the step's time is over, in thousandths of a unit of the speed."""
        now = self._clock() if self._paused is None else self._paused
        return round((now - self._since) / self.seconds, 3) if self.takes_time else ALL_OF_IT

    async def before(self, event: MatchEvent) -> None:
        """Wait until an event may be shown, and begin its time."""
        kind = event.record["kind"]
        if kind in ("question", "decision", "result"):
            await self._until_due(is_timed=kind != "question")
        if kind in ("header", "decision"):
            self._weight = self.weigh(event)
            self._since = self._clock() if self._paused is None else self._paused
            self._steps -= bool(self._steps and self._weight)

    async def after(self, event: MatchEvent) -> None:
        """Note that an event is shown; after an invalid answer, wait while it is paused: the seat would be asked again."""
        record = event.record
        if record["kind"] == "attempt" and record["outcome"] not in ("answer", "policy"):
            await self._until_due(is_timed=False)

    async def reach(self, passed: float) -> None:
        """Wait until this much of the step's time is over."""
        while (left := passed - self.passed) > 0:
            self._changed.clear()
            await self._wait(self._changed, None if self.is_paused else left * self.seconds)

    async def _until_due(self, is_timed: bool) -> None:
        while (left := self._left(is_timed)) != 0:
            self._changed.clear()
            await self._wait(self._changed, left)

    def _left(self, is_timed: bool) -> float | None:
        """Seconds until the next step; None while it is paused."""
        if self.is_paused:
            return 0.0 if self._steps else None
        if not is_timed or not self.takes_time:
            return 0.0
        return max(0.0, self._since + self.seconds * self._weight - self._clock())

    async def rest(self, seconds: float) -> None:
        """Wait for somebody to go on, these seconds at most."""
        self._rests, until = True, self._clock() + seconds
        while self._rests and (left := until - self._clock()) > 0:
            self._changed.clear()
            await self._wait(self._changed, left)

    # -- by keys -----------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """End a rest."""
        self._rests = False
        self._changed.set()

    def hurry(self) -> None:
        """Show everything at once from now on, until a person is asked or the match is over."""
        self.is_behind = True
        self._weight = 0.0
        self._changed.set()

    def pause(self) -> None:
        """Pause, or continue where it was."""
        now, self._steps = self._clock(), 0
        if self._paused is not None:
            self._since += now - self._paused
        self._paused = now if self._paused is None else None
        self._changed.set()

    def step(self) -> None:
        """Show the next step now; while it is paused, that step alone."""
        if self.is_paused:
            self._steps += 1
        else:
            self._weight = 0.0
        self._changed.set()

    def skip(self, passed: float) -> None:
        """Go on to where this much of the step's time is over."""
        self._since = (self._clock() if self._paused is None else self._paused) - passed * self.seconds
        self._changed.set()

    def change_speed(self, step: int) -> None:
        """Go to the next faster (1) or slower (-1) speed."""
        passed, self.seconds = self.passed, next_speed(self.seconds, step)
        self.skip(0.0 if passed == ALL_OF_IT else passed)
