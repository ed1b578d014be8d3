"""Shared terminal: the sinks that show a match, and a person who borrows their terminal to decide."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from runner.film.pacing import Pacing
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent, Sink, emit_all

if TYPE_CHECKING:
    from runner.screen.live import LiveScreen


class SharedTerminal:
    """Passes events on to `sinks`, delayed by `pacing`; `live` is the one among them that keeps drawing, if any.

    While the terminal is lent, attempts wait: they would print into what the person types.
    """

    def __init__(
        self,
        sinks: Sequence[Sink] = (),
        live: LiveScreen | None = None,
        pacing: Pacing | None = None,
        comment: Callable[[str, Perspective], None] = lambda text, seen: None,
    ) -> None:
        """`comment` shows what a caster says who has seen what a perspective does."""
        self.sinks, self._live, self._pacing, self.comment = [*sinks], live, pacing or Pacing(0.0), comment
        self._is_lent = False
        self._waiting: list[MatchEvent] = []

    @property
    def keeps_lines(self) -> bool:
        """Whether what was told stays on the terminal that a person borrows."""
        return self._live is None

    def recall(self, event: MatchEvent) -> None:
        """Note what happened before the match was resumed, so that the story on the screen has it."""
        if self._live is not None:
            self._live.viewer.recall(event)

    async def emit(self, event: MatchEvent) -> None:
        """Show an event, now or when the terminal is taken back."""
        if self._is_lent and event.record["kind"] == "attempt":
            self._waiting.append(event)
            return
        try:
            await self._pacing.before(event)
        finally:  # what has happened is shown even if the match is stopped meanwhile
            await emit_all(self.sinks, event)
        await self._pacing.after(event)

    def catch_up(self, is_behind: bool) -> None:
        """Show steps at once while the screen is behind a match that another process plays."""
        self._pacing.is_behind = is_behind

    async def settle(self) -> None:
        """Wait until all that the last decision has brought is shown, before a person is asked."""
        if self._live is not None:
            await self._live.settle()

    async def linger(self) -> None:
        """Show the end of the match until somebody goes on; an interrupt is a way to do so."""
        if self._live is not None:
            with suppress(asyncio.CancelledError):
                await self._live.linger()
            self._live.close()

    def lend(self, seat: int, can_page: bool) -> LiveScreen | None:
        """Stop reading keys until `take_back`, and drawing too, but where the person at the seat is asked on the page itself:
        then the screen that has it."""
        if self._live is not None and can_page:
            self._live.lend(seat)
            return self._live
        self._is_lent = True
        if self._live is not None:
            self._live.hide()
        return None

    async def take_back(self) -> None:
        """Draw again, and show what waited."""
        if self._live is not None:
            (self._live.show if self._is_lent else self._live.take_back)()
        self._is_lent = False
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            await self.emit(event)

    def close(self) -> None:
        """Leave the last position on the terminal."""
        if self._live is not None:
            self._live.close()
