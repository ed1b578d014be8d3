"""Match runner: runs all matches of a tournament or a comparison to their end, or to where it has to stop."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import games
from games.core import counted
from runner.agents.environment import Environment
from runner.agents.model_seats import model_of
from runner.agents.preflight import MatchSeats, local_models, start_local
from runner.agents.settings import SeatSettings
from runner.agents.spec import Bot, Spec, is_model
from runner.arena.dispatcher import Dispatcher, default_slots
from runner.arena.executor import Executor, LocalExecutor, MatchPlayer, Shared
from runner.arena.plan import Plan
from runner.arena.progress import MatchOutcome, OnResult, Progress, Stop
from runner.arena.schedule import Fixture, schedule
from runner.arena.tournament_dir import TournamentDir
from runner.child_processes import all_variables, available_cpus, own_variables
from runner.errors import AccountError, UsageError
from runner.interrupts import STOP, interrupted_afterwards, on_signals
from runner.llm.budget import Budget
from runner.llm.rate_limiter import RateLimiters
from runner.prompting.pack import PromptPack
from runner.session.session import new_client

if TYPE_CHECKING:
    from runner.llm.request import Model

Show = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """Where matches run: `patience` with outages is in seconds, `programs` is how many programs in seats run at once."""

    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    patience: float = 60.0
    retries_failed: bool = False
    programs: int | None = None


@dataclass(slots=True)
class _Waiting:
    """The matches that are left: with models or programs, between bots, and those of the first with a bot that searches;
    whether any match of the set needs a client, or one of the second has functions, and the most programs in one."""

    slow: int = 0
    bots: int = 0
    searching: int = 0
    needs_client: bool = False
    has_others: bool = False
    programs: int = 0


class MatchRunner:
    """Plays a plan in a folder, which the caller has locked. `progress` is how far it is."""

    def __init__(
        self,
        plan: Plan,
        environment: Environment,
        folder: TournamentDir,
        options: ExecutorOptions,
        on_result: OnResult | None = None,
    ) -> None:
        self._plan, self._folder, self._options = plan, folder, options
        self._shared = Shared(environment, plan.seed)
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
        for fixture in schedule(self._plan):
            if self.progress.is_decided:
                return
            if fixture.name not in self.progress.failed and self._folder.result(fixture.name) is None:
                yield fixture

    def _count(self) -> _Waiting:
        progress, found = self.progress, _Waiting()
        for fixture in schedule(self._plan):
            progress.total += 1
            found.needs_client |= fixture.needs_client
            found.has_others |= not (fixture.mostly_waits or all(isinstance(one.spec, Bot) for one in fixture.seats))
            found.programs = max(found.programs, fixture.programs)
            if (result := self._folder.result(fixture.name)) is not None:
                progress.end(fixture, result, was_before=True)
            elif not self._options.retries_failed and (why := self._folder.failure(fixture.name)) is not None:
                progress.fail(MatchOutcome(fixture, None, Stop.BUG, why))
            else:
                found.slow += fixture.mostly_waits
                found.bots += not fixture.mostly_waits
                found.searching += fixture.mostly_waits and fixture.searches
        return found

    async def _run(self, waiting: _Waiting, show: Show, interval: float) -> bool:
        progress = self.progress
        async with AsyncExitStack() as stack:
            if waiting.needs_client:
                progress.budget = self._ledger(stack)
            if progress.is_decided or not waiting.slow + waiting.bots:
                return True
            slots = self._program_slots(waiting.programs)
            if waiting.needs_client and not await until_stopped(self._prepare_models()):
                return False
            executor = self._executor(waiting)
            stack.push_async_callback(executor.close)
            plan, patience = self._plan, self._options.patience
            dispatcher = Dispatcher(executor, progress, plan.concurrency, patience, plan.on_error, slots)
            stack.callback(asyncio.create_task(_show_regularly(show, progress, interval)).cancel)
            return await until_stopped(dispatcher.run(self._unfinished))

    async def _prepare_models(self) -> None:
        """Check once for all matches that the budget bounds every model, and start the servers of model files. AccountProblem
        for a model without a price, UsageError where workers on other machines need a server."""
        environment, budget = self._shared.environment, self.progress.budget
        kinds: dict[tuple[str, int], tuple[Fixture, dict[tuple[Spec, SeatSettings], None]]] = {}
        for fixture in self._unfinished():
            _, seats = kinds.setdefault((fixture.game, len(fixture.seats)), (fixture, {}))
            seats |= {(one.spec, one.merged(fixture.table, environment)): None for one in fixture.seats}
        models: list[Model] = []
        for spec, settings in {seat: None for _, seats in kinds.values() for seat in seats if budget.needs_prices}:
            with suppress(AccountError):  # such as a missing key: the matches of this model say so
                models += [model_of(spec, environment, settings)] if is_model(spec) else []
        async with new_client(budget, self._shared.seed, 0.0) as client:
            for model in models:
                await client.check_price(model)
        tables = [
            MatchSeats(games.load(fixture.game), fixture.setup, list(seats))
            for fixture, seats in kinds.values()
            if local_models(seats, environment)
        ]
        if tables and self._options.engine != "local":
            raise UsageError("--ray: a model file plays on this machine only: leave the option out.")
        await start_local(tables, PromptPack(self._plan.prompts), environment, self._plan.concurrency)

    def _ledger(self, stack: AsyncExitStack) -> Budget:
        budget = self._folder.budget(self._plan.budget, self._plan.budget_tokens)
        self.progress.open_calls = budget.open_calls
        if self._options.engine == "ray":
            budget.close(is_kept=True)  # the keeper of the folder opens it again, and this one shows what that has counted
        else:
            stack.callback(budget.close, is_kept=True)
        return budget

    def _program_slots(self, most: int) -> int:
        """How many programs run at once, when a match has at most this number. UsageError when that is too few for it."""
        slots = self._options.programs
        if slots is not None and slots < most:
            raise UsageError(f"--programs {slots}: a match has {counted(most, 'program')}, which play at the same time.")
        return max(default_slots(), most) if slots is None else slots

    def _executor(self, waiting: _Waiting) -> Executor:
        options, progress, folder = self._options, self.progress, self._folder.path
        budget, shared = progress.budget, self._shared
        if options.engine == "ray":
            from runner.arena.ray_executor import RayExecutor

            limits, at_once = (self._plan.budget, self._plan.budget_tokens), min(self._plan.concurrency, waiting.slow)
            return RayExecutor(shared, folder, options.address, options.workers, at_once, limits, progress)
        processes = min(options.workers or available_cpus(), max(waiting.bots, waiting.searching))
        variables = all_variables() if waiting.has_others else own_variables()
        rates = RateLimiters()
        player = MatchPlayer(folder, shared, lambda seed, mistakes: new_client(budget, seed, mistakes, rates))
        return LocalExecutor(player, processes, progress, variables)


async def _show_regularly(show: Show, progress: Progress, interval: float) -> None:
    while True:
        await asyncio.sleep(interval)
        show(progress)


async def until_stopped(running: Coroutine[None, None, None]) -> bool:
    """Run to the end, or until Ctrl-C or SIGTERM pauses all matches; False then."""
    task = asyncio.create_task(running)
    on_signals(task.cancel, *STOP)
    with suppress(asyncio.CancelledError):
        await task
    return not task.cancelled()
