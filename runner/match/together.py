"""Several who look on at the same match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runner.match.watcher import Watched, Watcher

if TYPE_CHECKING:
    from games.core import Action, Event, State


class Together(Watcher):
    """Tells each of `watchers` everything, in their order."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    async def begun(self, match: Watched) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.begun(match)

    async def asked(self, seat: int, number: int) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.asked(seat, number)

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.attempted(seat, record)

    async def decided(self, seat: int, action: Action | None, how: str) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.decided(seat, action, how)

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.moved(state, events)

    async def lent(self) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.lent()

    async def returned(self) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.returned()

    async def paused(self, why: str) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.paused(why)

    async def ended(self, result: dict[str, Any]) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            await watcher.ended(result)

    def close(self) -> None:
        """Pass it on."""
        for watcher in self._watchers:
            watcher.close()
