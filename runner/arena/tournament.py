"""A tournament from its plan to its end, or to where it has to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from runner.arena.engine import Engine
from runner.arena.folder import Folder
from runner.arena.match import House
from runner.arena.plan import Plan
from runner.arena.pool import Pool
from runner.arena.progress import Progress
from runner.arena.running import Running
from runner.arena.schedule import Fixture, schedule
from runner.arena.spending import spent_in
from runner.prompting.pack import PromptPack
from runner.settings import Settings

Show = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a tournament is run: the engine for matches between bots and where it is, worker processes, seconds of patience
    with outages."""

    engine: str = "local"
    address: str | None = None
    processes: int | None = None
    patience: float = 60.0


class Tournament:
    """The matches of a plan, in a folder."""

    def __init__(self, plan: Plan, folder: Folder, settings: Settings, manner: Manner) -> None:
        self.plan = plan
        self.folder = folder
        self.progress = Progress()
        self._settings = settings
        self._manner = manner

    def run(self, show: Show, interval: float) -> bool:
        """Play what has not been played, calling `show` every so many seconds. False when it was interrupted."""
        with self.folder.held():
            self.folder.settle(self.plan)
            return asyncio.run(self._run(show, interval))

    def _left(self) -> Iterator[Fixture]:
        return (fixture for fixture in schedule(self.plan) if self.folder.result(fixture.name) is None)

    async def _run(self, show: Show, interval: float) -> bool:
        self.progress.expect(schedule(self.plan))
        for fixture in schedule(self.plan):
            if (result := self.folder.result(fixture.name)) is not None:
                self.progress.end(fixture, result, was_before=True)
        async with AsyncExitStack() as stack:
            house, engine = await self._house(stack), self._engine()
            if engine is not None:
                stack.callback(engine.close)
            running = Running(house, engine, self.progress, self.plan.concurrency, self._manner.patience)
            ticking = asyncio.create_task(_tick(show, self.progress, interval))
            stack.callback(ticking.cancel)
            return await _until_stopped(running.run(self._left))

    async def _house(self, stack: AsyncExitStack) -> House:
        pack = PromptPack(Path(self.plan.prompts) if self.plan.prompts else None)
        client = None
        if any(fixture.needs_client for fixture in self._left()):
            from runner.llm.budget import Budget
            from runner.llm.client import Client
            from runner.llm.offline import OfflineModel

            self.progress.spent, tokens = spent_in(self.folder.path)
            budget = Budget(self.plan.budget, self.plan.budget_tokens, self.progress.spent, tokens)
            offline = OfflineModel(self.plan.seed, self.plan.mistakes)
            client = await stack.enter_async_context(Client(budget=budget, offline=offline))
        return House(self.folder.path, pack, self._settings, self.plan.mistakes, client, self.plan.rated)

    def _engine(self) -> Engine | None:
        """The engine for matches between bots; None when there are none to play."""
        if all(fixture.needs_client for fixture in self._left()):
            return None
        if self._manner.engine == "ray":
            from runner.arena.cluster import Cluster

            return Cluster(self.folder.path, self._manner.address, self._manner.processes)
        return Pool(self.folder.path, self._manner.processes)


async def _tick(show: Show, progress: Progress, interval: float) -> None:
    while True:
        await asyncio.sleep(interval)
        show(progress)


async def _until_stopped(running: Coroutine[None, None, None]) -> bool:
    """Run to the end; Ctrl-C and SIGTERM pause everything. False then."""
    task = asyncio.create_task(running)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
    return not task.cancelled()
