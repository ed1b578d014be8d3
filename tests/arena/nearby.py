"""Workers without processes: on the event loop of the test, which can kill them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from runner.arena.ipc import Outbox
from runner.arena.messages import Batch, Brief, ToWorker
from runner.arena.worker import Worker


class NearbyWorker:
    """The hold of a worker of this process."""

    def __init__(self, brief: Brief, on_batch: Callable[[Batch], None], on_lost: Callable[[], None]) -> None:
        self._on_batch, self._on_lost = on_batch, on_lost
        self._lives, self._shares_disk = True, brief.folder is not None
        self._worker = Worker(brief, Outbox(self._hear).send)
        self.send: Callable[[ToWorker], None] = Outbox(self._worker.take).send

    async def end(self) -> None:
        await self._worker.close()

    async def kill(self) -> None:
        """Say nothing any more, do nothing any more."""
        self._lives = False
        tasks = list(self._worker._playing.values())
        for task in tasks:
            task.cancel()
        if self._shares_disk:
            await asyncio.gather(*tasks)
        await self._worker.close()
        self._on_lost()

    def _hear(self, batch: Batch) -> None:
        if self._lives:
            self._on_batch(batch)
