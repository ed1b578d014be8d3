"""Process slots: how many programs in seats run at once in a tournament."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from runner.cpus import available_cpus

_PER_CPU = 2
"""Programs for each CPU: most of the time one program of a match computes while the others wait."""


def default_slots() -> int:
    """The number of programs at once on this machine."""
    return _PER_CPU * available_cpus()


class ProcessSlots:
    """A number of slots. A match takes all that it needs at once, in the order of the requests, so none waits for another."""

    def __init__(self, slots: int) -> None:
        self.free = slots
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def taken(self, slots: int) -> AsyncIterator[None]:
        """Hold a number of slots, at most as many as there are."""
        await self._take(slots)
        try:
            yield
        finally:
            self._release(slots)

    async def _take(self, slots: int) -> None:
        if not slots or (not self._waiting and slots <= self.free):
            self.free -= slots
            return
        granted = asyncio.get_running_loop().create_future()
        self._waiting.append((slots, granted))
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self._release(slots)
            raise
        finally:
            self._waiting = deque(one for one in self._waiting if one[1] is not granted)
            self._grant()

    def _release(self, slots: int) -> None:
        self.free += slots
        self._grant()

    def _grant(self) -> None:
        while self._waiting and self._waiting[0][0] <= self.free:
            slots, granted = self._waiting.popleft()
            if not granted.done():
                self.free -= slots
                granted.set_result(None)
