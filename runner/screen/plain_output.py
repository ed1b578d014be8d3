"""A match as it is played, as lines: for pipes, files and screen readers."""

from __future__ import annotations

import asyncio
from typing import Any

from rich.console import Console
from rich.text import Text

from games.core import Event, State
from runner.match.watcher import Watched, Watcher
from runner.screen.narrator import Narrator


class Narration(Watcher):
    """One line an event, unwrapped and without colour. `pause` in seconds a step."""

    def __init__(self, console: Console, telling: Narrator, pause: float = 0.0) -> None:
        self._console = console
        self._telling = telling
        self._pause = pause
        self._strikes = 0

    async def begun(self, match: Watched) -> None:
        """Remember how many strikes there are."""
        self._strikes = match.config.setup.options.strikes

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """Tell of thoughts, and of an answer that did not count or was not delivered."""
        self._tell(self._telling.attempt(seat, record, self._strikes))

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """Tell what happened."""
        self._tell(self._telling.events(events))
        if self._pause:
            await asyncio.sleep(self._pause)

    def _tell(self, lines: list[Text]) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)
