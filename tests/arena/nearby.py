"""Workers without processes: on the event loop of the test, which can kill them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from runner.arena.ipc import Outbox
from runner.arena.messages import ToTournament, ToWorker, WorkerConfig
from runner.arena.worker import Worker
from runner.arena.worker_pool import OnBatch, OnLost


class NearbyWorker:
    """The handle of a worker in this process."""

    def __init__(self, config: WorkerConfig, on_batch: OnBatch, on_lost: OnLost) -> None:
        self._on_batch, self._on_lost = on_batch, on_lost
        self._lives, self._shares_disk = True, config.folder is not None
        self._worker = Worker(config, Outbox(self._hear).send)
        self.send: Callable[[ToWorker], None] = Outbox(self._worker.take).send

    async def end(self) -> None:
        await self._worker.close()

    async def kill(self) -> None:
        """Stop without another message."""
        self._lives = False
        tasks = list(self._worker._playing.values())
        for task in tasks:
            task.cancel()
        if self._shares_disk:
            await asyncio.gather(*tasks)
        await self._worker.close()
        self._on_lost("killed")

    def _hear(self, batch: Sequence[ToTournament]) -> None:
        if self._lives:
            self._on_batch(batch)
