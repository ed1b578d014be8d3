"""Actors of a Ray cluster as workers, on this machine or on many."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from runner.agents.environment import KEY_VARIABLE, OTHER_KEY_VARIABLE, Settings
from runner.arena.ipc import Outbox
from runner.arena.messages import Batch, Brief, ToWorker
from runner.arena.progress import Progress
from runner.arena.worker import Worker
from runner.arena.worker_pool import Crew
from runner.errors import UsageError
from runner.gc_tuning import collect_seldom
from runner.llm.budget import Budget

_AT_ONCE = 1000


class Cluster(Crew):
    """Actors, one a processor. Rate limiters, budget and logs stay with the tournament, whose process asks each actor for
    what it has to say: workers need to reach nobody, share no disk, and nothing that was paid for is in one place only."""

    def __init__(
        self,
        brief: Brief,
        address: str | None,
        workers: int | None,
        models_at_once: int,
        budget: Budget,
        progress: Progress,
        folder: Path,
    ) -> None:
        self._ray = ray = _ray()
        here = {} if address else {"num_cpus": workers or len(os.sched_getaffinity(0))}
        environment = {} if address else {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
        try:
            ray.init(
                address, log_to_driver=False, include_dashboard=False, runtime_env=environment, logging_level="error", **here
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UsageError(f"There is no Ray cluster at {address or 'this machine'}: {error}") from error
        self._results, sys.stdout = sys.stdout, sys.stderr  # Ray tells of dead workers on standard output
        free = max(1, int(ray.available_resources().get("CPU", 1)))
        abroad = brief._replace(folder=None, settings=_needed(brief.settings))
        hire = partial(RemoteWorker.hire, ray, abroad)
        super().__init__(hire, min(workers or free, free), models_at_once, budget, progress, folder, shares_disk=False)

    async def close(self) -> None:
        """Let the workers go and leave the cluster."""
        await super().close()
        self._ray.shutdown()
        sys.stdout = self._results


class RemoteWorker:
    """The tournament's hold of a worker that is an actor."""

    def __init__(self, ray: Any, actor: Any, on_batch: Callable[[Batch], None], on_lost: Callable[[], None]) -> None:
        self._ray, self._actor = ray, actor
        self._sent = 0
        self.send: Callable[[ToWorker], None] = Outbox(self._hand_over).send
        self._listening = asyncio.create_task(self._listen(on_batch, on_lost))

    @classmethod
    async def hire(cls, ray: Any, brief: Brief, on_batch: Callable[[Batch], None], on_lost: Callable[[], None]) -> RemoteWorker:
        """Start an actor, and wait until it has a place."""
        actor = ray.remote(num_cpus=1, max_restarts=0, max_concurrency=_AT_ONCE)(Station).remote(brief)
        await actor.is_ready.remote()
        return cls(ray, actor, on_batch, on_lost)

    async def end(self) -> None:
        """Let it go."""
        self._listening.cancel()
        await asyncio.to_thread(self._ray.kill, self._actor)

    def _hand_over(self, batch: Batch) -> None:
        self._actor.take.remote(self._sent, batch)
        self._sent += 1

    async def _listen(self, on_batch: Callable[[Batch], None], on_lost: Callable[[], None]) -> None:
        try:
            while True:
                on_batch(await self._actor.said.remote())
        except self._ray.exceptions.RayError:
            on_lost()


class Station:
    """A worker inside of an actor."""

    def __init__(self, brief: Brief) -> None:
        collect_seldom()
        self._said: Batch = []
        self._has_said = asyncio.Event()
        self._worker = Worker(brief, self._say)
        self._early: dict[int, Batch] = {}
        self._next = 0

    async def is_ready(self) -> bool:
        """Whether it is there."""
        return True

    async def take(self, number: int, batch: Batch) -> None:
        """Hand the worker what it is told, in the order it was sent in: calls may overtake one another."""
        self._early[number] = batch
        while self._next in self._early:
            self._worker.take(self._early.pop(self._next))
            self._next += 1

    async def said(self) -> Batch:
        """What the worker has to tell, once there is something."""
        await self._has_said.wait()
        self._has_said.clear()
        batch, self._said = self._said, []
        return batch

    def _say(self, message: Any) -> None:
        self._said.append(message)
        self._has_said.set()


def _needed(settings: Settings) -> Settings:
    """The keys of models and nothing else of this machine's environment."""
    names = {KEY_VARIABLE, OTHER_KEY_VARIABLE, *(entry.key for entry in settings.agents.values() if entry.key)}
    return Settings({name: settings[name] for name in names if name in settings}, settings.agents)


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise UsageError("--engine ray needs Ray: pip install 'tabletop-runner[ray]'.") from None
    return ray
