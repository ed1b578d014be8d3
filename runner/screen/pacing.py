"""Pacing: how long each step of a match stays on the screen before the next one, and pauses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from games.core import PHASE
from runner.match.events import MatchEvent
from runner.screen.perspective import Perspective

SPEEDS = (5.0, 3.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.0)
"""Seconds a step that keys choose from, the slowest first."""
NATURAL = 1.0
"""Seconds a public event without a chosen speed."""

_REVEALS = frozenset({"reveal", "revealed", "loss", "proof", "false_claim", "trick", "score", "paradox", "end"})
"""Kinds of events that turn cards over, show votes or settle a claim."""
_FURTHER, _REVEAL, _MOST, _HIDDEN = 0.5, 1.0, 3.0, 0.25
"""Weights: of each public event after the first, of a reveal, the most of a step, and of a step without a public event."""


def next_speed(seconds: float, step: int) -> float:
    """The next faster (1) or slower (-1) of the speeds."""
    nearest = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - seconds))
    return SPEEDS[max(0, min(len(SPEEDS) - 1, nearest + step))]


Wait = Callable[[asyncio.Event, float | None], Awaitable[None]]
"""Returns when the event is set, or after this many seconds; None: never."""


def natural_weight(event: MatchEvent, perspective: Perspective) -> float:
    """How long a step is shown, in units of the speed: longer if it tells more, and longest if it reveals something."""
    seen = [one for one in perspective.visible_events(event.events) if one.kind != PHASE]
    public = [one for one in seen if one.audience is None]
    if not public:
        return _HIDDEN if seen else 0.0
    reveals = any(one.kind in _REVEALS for one in public)
    return min(_MOST, 1 + _FURTHER * (len(public) - 1) + _REVEAL * reveals)


async def _wait(changed: asyncio.Event, seconds: float | None) -> None:
    with suppress(TimeoutError):  # not wait_for: in Python 3.11 it loses a cancellation that comes together with the event
        async with asyncio.timeout(seconds):
            await changed.wait()


class Pacing:
    """Delays what a screen shows. Seats are asked meanwhile, so the time that they think is part of the delay. Without a
    perspective, which weighs them, all steps are shown equally long.

    While it is paused, no further step is shown and no seat is asked; calls under way end and are logged. While `is_behind`,
    steps are shown at once, to catch up with a match that another process plays.
    """

    is_paused = is_behind = False

    def __init__(
        self,
        seconds: float,
        perspective: Perspective | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Wait = _wait,
    ) -> None:
        self.seconds, self._perspective, self._clock, self._wait = seconds, perspective, clock, wait
        self._changed = asyncio.Event()
        self._since, self._weight, self._steps = 0.0, 0.0, 0

    async def before(self, event: MatchEvent) -> None:
        """Wait until an event may be shown."""
        kind = event.record["kind"]
        if kind in ("question", "decision", "result"):
            await self._until_due(is_timed=kind != "question")

    async def after(self, event: MatchEvent) -> None:
        """Note that an event is shown; after an invalid answer, wait while it is paused: the seat would be asked again."""
        record = event.record
        match record["kind"]:
            case "header" | "decision":
                self._since = self._clock()
                self._weight = 1.0 if self._perspective is None else natural_weight(event, self._perspective)
                self._steps -= bool(self._steps and self._weight)
            case "talk":
                self._weight += 1
            case "attempt" if record["outcome"] != "answer":
                await self._until_due(is_timed=False)

    async def _until_due(self, is_timed: bool) -> None:
        while (left := self._left(is_timed)) != 0:
            self._changed.clear()
            await self._wait(self._changed, left)

    def _left(self, is_timed: bool) -> float | None:
        """Seconds until the next step; None while it is paused."""
        if self.is_paused:
            return 0.0 if self._steps else None
        if not is_timed or self.is_behind:
            return 0.0
        return max(0.0, self._since + self.seconds * self._weight - self._clock())

    # -- by keys -----------------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Pause, or continue."""
        self.is_paused, self._steps = not self.is_paused, 0
        self._changed.set()

    def step(self) -> None:
        """Show the next step now; while it is paused, that step alone."""
        if self.is_paused:
            self._steps += 1
        else:
            self._weight = 0.0
        self._changed.set()

    def change_speed(self, step: int) -> None:
        """Go to the next faster (1) or slower (-1) speed."""
        self.seconds = next_speed(self.seconds, step)
        self._changed.set()
