"""Shared terminal: the sinks that show a match, and a person who borrows their terminal to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runner.match.events import MatchEvent, Sink, emit_all
from runner.screen.shown_match import ShownMatch

if TYPE_CHECKING:
    from runner.screen.live import LiveScreen
    from runner.screen.live_controls import LiveControls
    from runner.screen.pacing import Pacing


class SharedTerminal:
    """Passes events on to `sinks`, delayed by `pacing`; `live` is the one among them that keeps drawing, if any.

    While the terminal is lent, attempts wait: they would print into what the person types.
    """

    def __init__(self, sinks: Sequence[Sink] = (), live: LiveScreen | None = None, pacing: Pacing | None = None) -> None:
        self._sinks = sinks
        self._live = live
        self._pacing = pacing
        self._controls = None if live is None or pacing is None else _controls(live, pacing)
        self._shown: ShownMatch | None = None
        self._is_lent = False
        self._waiting: list[MatchEvent] = []

    @property
    def keeps_lines(self) -> bool:
        """Whether what was told stays on the terminal that a person borrows."""
        return self._live is None

    def recall(self, event: MatchEvent) -> None:
        """Note what happened before the match was resumed, so that the story on the screen has it."""
        if self._live is not None:
            self._live.recall(event)

    async def emit(self, event: MatchEvent) -> None:
        """Show an event, now or when the terminal is taken back."""
        if self._is_lent and event.record["kind"] == "attempt":
            self._waiting.append(event)
            return
        if self._pacing is None:
            await self._show(event)
            return
        try:
            await self._pacing.before(event)
        finally:  # what has happened is shown even if the match is stopped meanwhile
            await self._show(event)
        await self._pacing.after(event)

    async def _show(self, event: MatchEvent) -> None:
        if self._shown is None or not self._shown.shows(event.match):
            self._shown = ShownMatch(event.match)
        self._shown.advance()
        if self._controls is not None and event.record["kind"] in ("header", "resumed"):
            self._controls.start(event.match.state.setup.players)
        if self._controls is not None and event.record["kind"] in ("pause", "result"):
            self._controls.stop()
        await emit_all(self._sinks, event._replace(match=self._shown))

    def catch_up(self, is_behind: bool) -> None:
        """Show steps at once while the screen is behind a match that another process plays."""
        if self._pacing is not None:
            self._pacing.is_behind = is_behind

    def lend(self) -> None:
        """Stop drawing and reading keys until `take_back`."""
        self._is_lent = True
        if self._controls is not None:
            self._controls.stop()
        if self._live is not None:
            self._live.hide()

    async def take_back(self) -> None:
        """Draw again, and show what waited."""
        if self._live is not None:
            self._live.show()
        if self._controls is not None:
            self._controls.read()
        self._is_lent = False
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            await self.emit(event)

    def close(self) -> None:
        """Leave the last position on the terminal."""
        if self._controls is not None:
            self._controls.stop()
        if self._live is not None:
            self._live.close()


def _controls(live: LiveScreen, pacing: Pacing) -> LiveControls:
    from runner.screen.live_controls import LiveControls

    return LiveControls(live, pacing)
