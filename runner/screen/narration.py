"""A match as it is played, as lines: for pipes, files and screen readers."""

from __future__ import annotations

import asyncio
from typing import Any

from rich.console import Console

from games.core import PHASE, Event, State
from runner.match.loop import Match
from runner.match.watcher import Watcher
from runner.screen.scene import Perspective
from runner.screen.story import attempt_line, event_line


class Narration(Watcher):
    """One line an event, unwrapped and without colour. `pause` in seconds a step."""

    def __init__(self, console: Console, perspective: Perspective, pause: float = 0.0) -> None:
        self._console = console
        self._perspective = perspective
        self._pause = pause
        self._strikes = 0

    async def begun(self, match: Match) -> None:
        """Remember how many strikes there are."""
        self._strikes = match.config.setup.options.strikes

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """Tell of an answer that did not count."""
        if line := attempt_line(seat, record, self._strikes, self._perspective.reads(seat)):
            self._console.print(line, soft_wrap=True)

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """Tell what happened."""
        for event in self._perspective.heard(events):
            if event.kind != PHASE:
                self._console.print(event_line(event), soft_wrap=True)
        if self._pause:
            await asyncio.sleep(self._pause)
