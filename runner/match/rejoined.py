"""Looking on at a match that goes on from a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runner.match.watcher import Watched, Watcher

if TYPE_CHECKING:
    from games.core import Action, Event, State


class Rejoined(Watcher):
    """Tells `watcher` of a match from where it is no longer behind its log."""

    def __init__(self, watcher: Watcher, is_behind: Callable[[], bool]) -> None:
        self._watcher = watcher
        self._is_behind = is_behind
        self._match: Watched | None = None
        self._has_begun = False

    async def begun(self, match: Watched) -> None:
        """Wait for the match to reach the end of its log."""
        self._match = match

    async def asked(self, seat: int, number: int) -> None:
        """Pass it on."""
        if await self._is_live():
            await self._watcher.asked(seat, number)

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """Pass it on."""
        if await self._is_live():
            await self._watcher.attempted(seat, record)

    async def decided(self, seat: int, action: Action | None, how: str) -> None:
        """Pass it on."""
        if await self._is_live():
            await self._watcher.decided(seat, action, how)

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """Pass it on."""
        if await self._is_live():
            await self._watcher.moved(state, events)

    async def lent(self) -> None:
        """Pass it on."""
        if await self._is_live():
            await self._watcher.lent()

    async def returned(self) -> None:
        """Pass it on."""
        if await self._is_live():
            await self._watcher.returned()

    async def paused(self, why: str) -> None:
        """Pass it on."""
        await self._watcher.paused(why)

    async def ended(self, result: dict[str, Any]) -> None:
        """Pass it on."""
        if await self._is_live():
            await self._watcher.ended(result)

    def close(self) -> None:
        """Pass it on."""
        self._watcher.close()

    async def _is_live(self) -> bool:
        if not self._has_begun and not self._is_behind():
            assert self._match is not None
            self._has_begun = True
            await self._watcher.begun(self._match)
        return self._has_begun
