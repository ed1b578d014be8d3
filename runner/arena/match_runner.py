"""Match runner: runs all matches of a tournament or a comparison to their end, or to where it has to stop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import games
from games.core import counted
from runner.agents.environment import Settings
from runner.agents.local_start import Table, local_models, start_local
from runner.agents.spec import Spec
from runner.arena.dispatcher import Dispatcher
from runner.arena.executor import Executor
from runner.arena.ledger import LedgerBudget
from runner.arena.local_executor import LocalExecutor
from runner.arena.match_outcome import Outcome, Stop
from runner.arena.match_player import MatchPlayer, MatchSettings
from runner.arena.messages import WorkerConfig
from runner.arena.plan import OnError, Plan
from runner.arena.process_slots import default_slots
from runner.arena.process_worker import ProcessWorker
from runner.arena.progress import OnResult, Progress
from runner.arena.schedule import Fixture, schedule
from runner.arena.tournament_dir import TournamentDir
from runner.arena.worker_pool import WorkerPool
from runner.cpus import available_cpus
from runner.errors import UsageError
from runner.interrupts import STOP, interrupted_afterwards, on_signals
from runner.llm.budget import Budget
from runner.llm.local_servers import servers
from runner.llm.rate_limiter import RateLimiters
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.llm.client import Client

Show = Callable[[Progress], None]

MODELS_A_CORE = 25
"""Matches of models at once that are worth a worker process."""


@dataclass(frozen=True, slots=True)
class MatchSet:
    """Matches to run, and what they share. `concurrency` is how many matches of models run at once."""

    fixtures: Callable[[], Iterable[Fixture]]
    shared: MatchSettings
    budget: float | None = None
    budget_tokens: int | None = None
    concurrency: int = 200
    on_error: OnError = "continue"


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """Where matches run: the engine and its address, the number of workers, seconds of patience with outages, whether matches
    that failed in an earlier run are played again, and how many programs in seats run at once."""

    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    patience: float = 60.0
    retries_failed: bool = False
    programs: int | None = None


def match_set(plan: Plan, settings: Settings) -> MatchSet:
    """The matches of a plan."""
    prompts = Path(plan.prompts) if plan.prompts else None
    shared = MatchSettings(prompts, settings, plan.mistakes, plan.seed, plan.rated, plan.hopeless)
    return MatchSet(partial(schedule, plan), shared, plan.budget, plan.budget_tokens, plan.concurrency, plan.on_error)


class _Waiting(NamedTuple):
    """The matches that are left: with models or programs, and between bots; whether any match of the set needs a client, and
    the most programs in one."""

    slow: int
    bots: int
    needs_client: bool
    programs: int


class MatchRunner:
    """Runs a set of matches in a folder, which the caller has locked. `progress` is how far it is."""

    def __init__(
        self, matches: MatchSet, folder: TournamentDir, options: ExecutorOptions, on_result: OnResult | None = None
    ) -> None:
        self._matches, self._folder, self._options = matches, folder, options
        self.progress = Progress(on_result=on_result)

    def run(self, show: Show, interval: float) -> bool:
        """Play what has not been played, calling `show` every `interval` seconds. False when it was interrupted."""
        waiting = self._count()
        try:
            with asyncio.Runner() as runner:
                with interrupted_afterwards():
                    runner.get_loop()
                return runner.run(self._run(waiting, show, interval))
        except KeyboardInterrupt:  # before the event loop listens, or from code that blocked it
            return False

    def _unfinished(self) -> Iterator[Fixture]:
        for fixture in self._matches.fixtures():
            if fixture.name not in self.progress.failed and self._folder.result(fixture.name) is None:
                yield fixture

    def _failure(self, fixture: Fixture) -> str | None:
        """How a match failed in an earlier run, if it is not played again."""
        return None if self._options.retries_failed else self._folder.failure(fixture.name)

    def _count(self) -> _Waiting:
        """Take in what earlier runs did; what is left."""
        progress, unfinished, needs_client, programs = self.progress, Counter[bool](), False, 0
        for fixture in self._matches.fixtures():
            progress.total += 1
            needs_client |= fixture.needs_client
            programs = max(programs, fixture.programs)
            if (result := self._folder.result(fixture.name)) is not None:
                progress.end(fixture, result, was_before=True)
            elif (why := self._failure(fixture)) is not None:
                progress.fail(Outcome(fixture, None, Stop.BUG, why))
            else:
                unfinished[fixture.mostly_waits] += 1
        return _Waiting(unfinished[True], unfinished[False], needs_client, programs)

    async def _run(self, waiting: _Waiting, show: Show, interval: float) -> bool:
        progress = self.progress
        async with AsyncExitStack() as stack:
            if waiting.needs_client:
                progress.budget = self._ledger(stack)
            if not waiting.slow + waiting.bots:
                return True
            slots = self._program_slots(waiting.programs)
            if waiting.needs_client and not await _until_stopped(self._start_local()):
                return False
            executor = self._executor(waiting.slow, waiting.bots)
            stack.push_async_callback(executor.close)
            how = self._matches.concurrency, self._options.patience, self._matches.on_error, slots
            dispatcher = Dispatcher(executor, progress, *how)
            stack.callback(asyncio.create_task(_show_regularly(show, progress, interval)).cancel)
            return await _until_stopped(dispatcher.run(self._unfinished))

    async def _start_local(self) -> None:
        """Start the servers of model files, once for all matches. UsageError where workers on other machines need one."""
        shared, kinds = self._matches.shared, dict[tuple[str, int], Fixture]()
        specs: dict[tuple[str, int], dict[Spec, None]] = {}
        for fixture in self._unfinished():
            kind = fixture.game, fixture.players
            kinds.setdefault(kind, fixture)
            specs.setdefault(kind, {}).update((entrant.spec, None) for entrant in fixture.seats)
        tables = [_table(kinds[kind], list(found)) for kind, found in specs.items() if local_models(found, shared.settings)]
        if tables and self._options.engine != "local":
            raise UsageError(f"--engine {self._options.engine}: a model file plays on this machine only: leave the option out.")
        await start_local(tables, PromptPack(shared.prompts), shared.settings, self._matches.concurrency)

    def _ledger(self, stack: AsyncExitStack) -> Budget:
        """The one budget of all matches."""
        budget = LedgerBudget(self._folder.path, self._matches.budget, self._matches.budget_tokens)
        stack.callback(budget.close)
        self.progress.open_calls = budget.open_calls
        return budget

    def _program_slots(self, most: int) -> int:
        """How many programs run at once, when a match has at most this number. UsageError when that is too few for it."""
        slots = self._options.programs
        if slots is not None and slots < most:
            raise UsageError(f"--programs {slots}: a match has {counted(most, 'program')}, which play at the same time.")
        return max(default_slots(), most) if slots is None else slots

    def _executor(self, waiting: int, bots: int) -> Executor:
        """The executor for a number of matches with models or programs, and between bots."""
        options, progress, folder = self._options, self.progress, self._folder.path
        at_once = min(self._matches.concurrency, waiting)
        workers = min(options.workers or workers_for(at_once, bots), max(1, waiting + bots))
        budget, shared = progress.budget, self._matches.shared
        config = WorkerConfig(folder.absolute(), shared, budget.is_limited, servers.all_access)
        if options.engine == "ray":
            from runner.arena.ray_executor import RayPool

            return RayPool(config, options.address, options.workers, at_once, budget, progress, folder)
        if workers == 1:
            return LocalExecutor(MatchPlayer(folder, shared, _clients(budget, shared.mistakes)), progress)
        return WorkerPool(partial(ProcessWorker.start, config), workers, at_once, budget, progress, folder)


def _table(fixture: Fixture, specs: Sequence[Spec]) -> Table:
    """The seats of matches of one kind."""
    game = games.load(fixture.game)
    return Table(game, game.set_up(fixture.players, fixture.seed, fixture.rules, fixture.options), specs)


def _clients(budget: Budget, mistakes: float) -> Callable[[int], Client]:
    """Makes clients of models that share a budget and rate limits."""
    limits = RateLimiters()

    def new_client(seed: int) -> Client:
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel

        return Client(budget=budget, limits_of=limits, offline=OfflineModel(seed, mistakes))

    return new_client


def workers_for(models_at_once: int, bots: int) -> int:
    """The number of worker processes: all CPUs for bots, which compute all the time; one for some dozens of matches of models,
    which mostly wait."""
    return max(1, min(available_cpus(), max(bots, -(-models_at_once // MODELS_A_CORE))))


async def _show_regularly(show: Show, progress: Progress, interval: float) -> None:
    while True:
        await asyncio.sleep(interval)
        show(progress)


async def _until_stopped(running: Coroutine[None, None, None]) -> bool:
    """Run to the end, or until Ctrl-C or SIGTERM pauses all matches; False then."""
    task = asyncio.create_task(running)
    on_signals(task.cancel, *STOP)
    with suppress(asyncio.CancelledError):
        await task
    return not task.cancelled()
