"""Shared terminal: the sinks that show a match, and a person who borrows their terminal to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runner.match.events import MatchEvent, Sink, emit_all

if TYPE_CHECKING:
    from runner.screen.live import LiveScreen


class SharedTerminal:
    """Passes events on to `sinks`; `live` is the one among them that keeps drawing, if any.

    While the terminal is lent, attempts wait: they would print into what the person types.
    """

    def __init__(self, sinks: Sequence[Sink] = (), live: LiveScreen | None = None) -> None:
        self._sinks = sinks
        self._live = live
        self._is_lent = False
        self._waiting: list[MatchEvent] = []

    @property
    def keeps_lines(self) -> bool:
        """Whether what was told stays on the terminal that a person borrows."""
        return self._live is None

    async def emit(self, event: MatchEvent) -> None:
        """Show an event, now or when the terminal is taken back."""
        if self._is_lent and event.record["kind"] == "attempt":
            self._waiting.append(event)
        else:
            await emit_all(self._sinks, event)

    def lend(self) -> None:
        """Stop drawing until `take_back`."""
        self._is_lent = True
        if self._live is not None:
            self._live.hide()

    async def take_back(self) -> None:
        """Draw again, and show what waited."""
        if self._live is not None:
            self._live.show()
        self._is_lent = False
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            await self.emit(event)

    def close(self) -> None:
        """Leave the last position on the terminal."""
        if self._live is not None:
            self._live.close()
