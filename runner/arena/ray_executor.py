"""Ray executor: a worker pool of actors on a Ray cluster, on this machine or on many."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Protocol

from runner.agents.environment import BASE_URL_VARIABLE, KEY_HOSTS_VARIABLE, KEY_VARIABLE, OTHER_KEY_VARIABLE, Settings
from runner.arena.ipc import Outbox
from runner.arena.messages import ToTournament, ToWorker, WorkerConfig
from runner.arena.progress import Progress
from runner.arena.worker import Worker
from runner.arena.worker_pool import OnBatch, OnLost, WorkerPool
from runner.cpus import available_cpus
from runner.errors import UsageError
from runner.gc_tuning import collect_seldom
from runner.llm.budget import Budget

_AT_ONCE = 1000


class RayPool(WorkerPool):
    """A pool of actors, one a CPU.

    Rate limits, budget and logs stay with the tournament's process, which polls each actor for messages: actors need no
    connection to each other and no shared disk, and no paid reply exists in one place only.
    """

    def __init__(
        self,
        config: WorkerConfig,
        address: str | None,
        workers: int | None,
        models_at_once: int,
        budget: Budget,
        progress: Progress,
        folder: Path,
    ) -> None:
        self._ray = ray = _ray()
        cpus = None if address else workers or available_cpus()
        environment = {} if address else {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
        try:
            ray.init(
                address,
                num_cpus=cpus,
                log_to_driver=False,
                include_dashboard=False,
                runtime_env=environment,
                logging_level="error",
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UsageError(f"There is no Ray cluster at {address or 'this machine'}: {error}") from error
        self._results, sys.stdout = sys.stdout, sys.stderr  # Ray reports dead workers on standard output
        free = max(1, int(ray.available_resources().get("CPU", 1)))
        shared = config.shared
        remote = config._replace(folder=None, shared=shared._replace(settings=_without_other_variables(shared.settings)))
        start = partial(RayWorker.start, ray, remote)
        super().__init__(start, min(workers or free, free), models_at_once, budget, progress, folder, shares_disk=False)

    async def close(self) -> None:
        """End the workers and leave the cluster."""
        await super().close()
        self._ray.shutdown()
        sys.stdout = self._results


class _Call(Protocol):
    """A method of an actor."""

    def remote(self, *arguments: object) -> Awaitable[Sequence[ToTournament]]:
        """Call it."""


class _Actor(Protocol):
    """A handle of a `WorkerActor`."""

    is_ready: _Call
    take: _Call
    said: _Call


class RayWorker:
    """The tournament's handle of a worker in an actor."""

    def __init__(self, ray: ModuleType, actor: _Actor, on_batch: OnBatch, on_lost: OnLost) -> None:
        self._ray, self._actor = ray, actor
        self._sent = 0
        self._outbox = Outbox(self._hand_over)
        self._listening = asyncio.create_task(self._listen(on_batch, on_lost))

    @classmethod
    async def start(cls, ray: ModuleType, config: WorkerConfig, on_batch: OnBatch, on_lost: OnLost) -> RayWorker:
        """Start an actor and wait until it is scheduled."""
        actor = ray.remote(num_cpus=1, max_restarts=0, max_concurrency=_AT_ONCE)(WorkerActor).remote(config)
        await actor.is_ready.remote()
        return cls(ray, actor, on_batch, on_lost)

    def send(self, message: ToWorker) -> None:
        """Send it a message."""
        self._outbox.send(message)

    async def end(self) -> None:
        """Kill the actor."""
        self._listening.cancel()
        await asyncio.to_thread(self._ray.kill, self._actor)

    def _hand_over(self, batch: list[ToWorker]) -> None:
        self._actor.take.remote(self._sent, batch)
        self._sent += 1

    async def _listen(self, on_batch: OnBatch, on_lost: OnLost) -> None:
        try:
            while True:
                on_batch(await self._actor.said.remote())
        except Exception as error:  # of the actor, or of a message
            on_lost(f"a worker of the cluster died ({type(error).__name__})")


class WorkerActor:
    """A worker inside an actor."""

    def __init__(self, config: WorkerConfig) -> None:
        collect_seldom()
        self._said: list[ToTournament] = []
        self._has_said = asyncio.Event()
        self._worker = Worker(config, self._say)
        self._early: dict[int, Sequence[ToWorker]] = {}
        self._next = 0

    async def is_ready(self) -> bool:
        """Whether the actor runs."""
        return True

    async def take(self, number: int, batch: Sequence[ToWorker]) -> None:
        """Hand batches to the worker in the order they were sent, because calls may overtake each other."""
        self._early[number] = batch
        while self._next in self._early:
            self._worker.take(self._early.pop(self._next))
            self._next += 1

    async def said(self) -> list[ToTournament]:
        """The worker's messages, as soon as there are any."""
        await self._has_said.wait()
        self._has_said.clear()
        batch, self._said = self._said, []
        return batch

    def _say(self, message: ToTournament) -> None:
        self._said.append(message)
        self._has_said.set()


def _without_other_variables(settings: Settings) -> Settings:
    """The settings with the API keys, the hosts they may go to, and no other variable of this machine's environment."""
    own = {KEY_VARIABLE, OTHER_KEY_VARIABLE, KEY_HOSTS_VARIABLE, BASE_URL_VARIABLE}
    names = {*own, *(entry.key for entry in settings.agents.values() if entry.key)}
    return Settings({name: settings[name] for name in names if name in settings}, settings.agents)


def _ray() -> ModuleType:
    try:
        import ray
    except ImportError:
        raise UsageError("--engine ray needs Ray: pip install 'tabletop-runner[ray]'.") from None
    module: ModuleType = ray
    return module
