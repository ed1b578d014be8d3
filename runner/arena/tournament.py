"""A tournament from its plan to its end, or to where it has to stop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from runner.agents.environment import Settings
from runner.agents.spec import needs_client
from runner.arena.dispatcher import Running
from runner.arena.executor import Engine
from runner.arena.fixture_match import House
from runner.arena.ledger import BookedBudget
from runner.arena.local_executor import Here
from runner.arena.messages import Brief
from runner.arena.plan import Plan
from runner.arena.process_worker import LocalWorker
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture, schedule
from runner.arena.tournament_dir import Folder
from runner.arena.worker_pool import Crew
from runner.llm.budget import Budget
from runner.prompting.pack import PromptPack

Show = Callable[[Progress], None]

MODELS_A_CORE = 25
"""Matches of models at once that are worth a worker process."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a tournament is run: the engine and where it is, how many workers it has at most, seconds of patience with
    outages."""

    engine: str = "local"
    address: str | None = None
    workers: int | None = None
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
        progress = self.progress
        progress.expect(schedule(self.plan))
        left: Counter[bool] = Counter()
        for fixture in schedule(self.plan):
            if (result := self.folder.result(fixture.name)) is not None:
                progress.end(fixture, result, was_before=True)
            else:
                left[fixture.needs_client] += 1
        async with AsyncExitStack() as stack:
            progress.budget = budget = self._budget(stack)
            if not left:
                return True
            engine = self._engine(budget, models=left[True], bots=left[False])
            stack.push_async_callback(engine.close)
            running = Running(engine, progress, self.plan.concurrency, self._manner.patience)
            ticking = asyncio.create_task(_tick(show, progress, interval))
            stack.callback(ticking.cancel)
            return await _until_stopped(running.run(self._left))

    def _budget(self, stack: AsyncExitStack) -> Budget:
        """The one budget of all matches, which those between bots do without."""
        if not needs_client(entrant.spec for entrant in self.plan.entrants):
            return Budget()
        budget = BookedBudget(self.folder.path, self.plan.budget, self.plan.budget_tokens)
        stack.callback(budget.close)
        self.progress.cut_off = budget.cut_off
        return budget

    def _engine(self, budget: Budget, models: int, bots: int) -> Engine:
        """The engine for so many matches with models and so many between bots."""
        plan, pack = self.plan, Path(self.plan.prompts) if self.plan.prompts else None
        at_once = min(plan.concurrency, models)
        workers = self._manner.workers or workers_for(at_once, bots)
        folder, is_limited = self.folder.path.absolute(), budget.is_limited
        brief = Brief(folder, pack, self._settings, plan.mistakes, plan.seed, is_limited, plan.rated)
        if self._manner.engine == "ray":
            from runner.arena.ray_executor import Cluster

            address, most = self._manner.address, self._manner.workers
            return Cluster(brief, address, most, at_once, budget, self.progress, self.folder.path)
        if workers == 1:
            return Here(self._house(budget, models), self.progress)
        return Crew(partial(LocalWorker.hire, brief), workers, at_once, budget, self.progress, self.folder.path)

    def _house(self, budget: Budget, models: int) -> House:
        plan, client = self.plan, None
        if models:
            from runner.llm.client import Client
            from runner.llm.offline import OfflineModel

            client = Client(budget=budget, offline=OfflineModel(plan.seed, plan.mistakes))
        pack = PromptPack(Path(plan.prompts) if plan.prompts else None)
        return House(self.folder.path, pack, self._settings, plan.mistakes, client, plan.rated)


def workers_for(models_at_once: int, bots: int) -> int:
    """How many processes so many matches are worth: every core for bots, which compute all the time; for models, which mostly
    wait, a core for some dozens at once."""
    return max(1, min(len(os.sched_getaffinity(0)), max(bots, -(-models_at_once // MODELS_A_CORE))))


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
