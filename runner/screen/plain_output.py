"""Plain output: a match as lines while it is played, for pipes, files and screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from runner.match.events import MatchEvent
from runner.screen.narrator import Narrator
from runner.screen.seat_labels import labels_of


class PlainOutput:
    """Sink that prints one line an event, unwrapped and without colour."""

    def __init__(self, console: Console, narrator: Narrator) -> None:
        self._console = console
        self._narrator = narrator

    async def emit(self, event: MatchEvent) -> None:
        """Print what the event brings."""
        if event.record["kind"] in ("header", "resumed"):
            self._narrator = self._narrator.of(labels_of(event.match.config.seats))
        if event.record["kind"] == "attempt":
            self._print(self._narrator.attempt(event.record, event.match.config.setup.options.strikes))
        elif event.record["kind"] == "talk":
            self._print(self._narrator.talk([event.record]))
        elif event.record["kind"] in ("header", "decision"):
            self._print(self._narrator.change(event))

    def _print(self, lines: Sequence[Text]) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)
        self._console.file.flush()
