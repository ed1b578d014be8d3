"""Match runner: runs all matches of a tournament or a comparison to their end, or to where it has to stop.

Its dispatcher runs the matches of a schedule on an executor, as many at once as permitted, whatever happens to some of them.
With a budget, a match starts only when the rest is likely to pay for it and for all running ones; one always runs. So the
budget pays for matches that end, in the order of the schedule.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

import games
from games.core import counted
from runner.agents.environment import Environment
from runner.agents.model_seats import model_of
from runner.agents.preflight import MatchSeats, local_models, start_local
from runner.agents.settings import SeatSettings
from runner.agents.spec import Bot, Spec, is_model
from runner.arena.executor import Executor, MatchPlayer, Shared
from runner.arena.plan import OnError, Plan
from runner.arena.progress import MatchOutcome, OnResult, Progress, Stop, stopped
from runner.arena.schedule import Fixture, schedule
from runner.arena.tournament_dir import TournamentDir
from runner.child_processes import all_variables, available_cpus, own_variables
from runner.errors import AccountError, PausedError, TabletopError, UsageError
from runner.interrupts import STOP, interrupted_afterwards, on_signals
from runner.llm.budget import Budget
from runner.llm.rate_limiter import RateLimiters
from runner.llm.request import Model
from runner.prompting.pack import PromptPack
from runner.session.session import new_client


def default_slots() -> int:
    """The number of programs at once on this machine: mostly one program of a match computes while the others wait."""
    return 2 * available_cpus()


class ProcessSlots:
    """A number of slots. A match takes all that it needs at once, in the order of the requests, so none waits for another."""

    def __init__(self, slots: int) -> None:
        self._free, self._turn = asyncio.Semaphore(slots), asyncio.Lock()

    @asynccontextmanager
    async def taken(self, slots: int) -> AsyncIterator[None]:
        held = 0
        try:
            if slots:
                async with self._turn:
                    while held < slots:
                        await self._free.acquire()
                        held += 1
            yield
        finally:
            for _ in range(held):
                self._free.release()


DOWN_AFTER = 3
"""An agent counts as down after this many outages in a row; its matches are put off."""

FIRST_WAIT = 1.0
"""Seconds before the first retry of matches that were put off; each further wait is twice as long."""

BOTS_SECONDS = 2.0
"""Seconds that matches between bots have to end when a tournament is interrupted."""


@dataclass
class CircuitBreaker:
    """What keeps matches from starting: agents that are down or refused, a budget that is spent."""

    outages: Counter[str] = field(default_factory=Counter)
    refused: dict[str, MatchOutcome] = field(default_factory=dict)
    budget: str = ""

    def note(self, outcome: MatchOutcome) -> None:
        if outcome.stop is None:
            for entrant in outcome.fixture.seats:
                self.outages.pop(entrant.name, None)
        elif outcome.stop is Stop.BUDGET:
            self.budget = outcome.why
        elif outcome.agent is not None and outcome.stop is Stop.OUTAGE:
            self.outages[outcome.agent] += 1
        elif outcome.agent is not None and outcome.stop in (Stop.ACCOUNT, Stop.LIMIT, Stop.USAGE):
            self.refused[outcome.agent] = outcome

    def blocks(self, fixture: Fixture) -> MatchOutcome | None:
        """The outcome of a match that must not start now; None for any other."""
        for entrant in fixture.seats:
            if entrant.name in self.refused:
                return self.refused[entrant.name]._replace(fixture=fixture)
            if self.outages[entrant.name] >= DOWN_AFTER:
                return MatchOutcome(fixture, None, Stop.OUTAGE, f"{entrant.name} is down", entrant.name)
        return MatchOutcome(fixture, None, Stop.BUDGET, self.budget) if self.budget and fixture.needs_client else None


class _StoppedByBug(Exception):
    """A match failed, and the plan says that the tournament stops then."""


class Dispatcher:
    """Runs matches, `slots` programs in seats at once. For `patience` seconds after all others have ended it retries those that
    an outage stopped. `on_error` says whether a match that fails because of a bug stops the others."""

    def __init__(
        self,
        executor: Executor,
        progress: Progress,
        concurrency: int,
        patience: float,
        on_error: OnError = "continue",
        slots: int | None = None,
    ) -> None:
        self._executor, self._progress = executor, progress
        self._slots = default_slots() if slots is None else slots
        self._programs = ProcessSlots(self._slots)
        self._concurrency, self._patience, self._on_error = concurrency, patience, on_error
        self._breaker = CircuitBreaker()
        self._is_stopped = False

    async def run(self, fixtures: Callable[[], Iterable[Fixture]]) -> None:
        """Run all matches. When cancelled, or when one must stop the others, pause those that are running."""
        models = (fixture for fixture in fixtures() if fixture.needs_client)
        programs = (fixture for fixture in fixtures() if fixture.mostly_waits and not fixture.needs_client)
        bots = (fixture for fixture in fixtures() if not fixture.mostly_waits)
        lanes = ((models, self._concurrency), (programs, self._slots), (bots, self._executor.bots_at_once))
        running = [asyncio.ensure_future(self._lane(matches, most)) for matches, most in lanes]
        try:
            await asyncio.wait(running, return_when=asyncio.FIRST_EXCEPTION)
        finally:  # matches between bots get some time to end
            self._is_stopped = True
            for lane in running[:-1]:
                lane.cancel()
            await asyncio.wait(running, timeout=BOTS_SECONDS)
            running[-1].cancel()
            await asyncio.wait(running)
        for lane in running:
            with suppress(_StoppedByBug, asyncio.CancelledError):
                lane.result()

    @property
    def _ends(self) -> bool:
        """Whether no further match begins."""
        return self._is_stopped or self._progress.is_decided

    async def _lane(self, fixtures: Iterator[Fixture], most: int) -> None:
        deferred = await self._run_all(fixtures, most)
        wait, until = FIRST_WAIT, time.monotonic() + self._patience
        while deferred and not self._ends and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(wait, left))
            wait *= 2
            self._breaker.outages.clear()
            deferred = await self._run_all((outcome.fixture for outcome in deferred), most)
        for outcome in deferred:
            self._progress.fail(outcome)

    async def _run_all(self, fixtures: Iterable[Fixture], most: int) -> list[MatchOutcome]:
        deferred: list[MatchOutcome] = []
        running: set[asyncio.Task[None]] = set()
        try:
            for fixture in fixtures:
                while running and fixture.needs_client and not self._progress.affords(fixture):
                    running = await _wait_for_one(running)
                if self._ends:
                    break
                if blocked := self._breaker.blocks(fixture):
                    self._settle(blocked, deferred)
                    continue
                self._progress.begin(fixture)
                running.add(asyncio.create_task(self._run_one(fixture, deferred)))
                if len(running) >= most:
                    running = await _wait_for_one(running)
            while running:
                running = await _wait_for_one(running)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        return deferred

    async def _run_one(self, fixture: Fixture, deferred: list[MatchOutcome]) -> None:
        try:
            async with self._programs.taken(fixture.programs):
                outcome = await self._executor.play(fixture)
        except Exception as error:
            outcome = stopped(fixture, error)
        self._breaker.note(outcome)
        self._settle(outcome, deferred)
        if outcome.stop is Stop.BUG and self._on_error == "stop":
            raise _StoppedByBug

    def _settle(self, outcome: MatchOutcome, deferred: list[MatchOutcome]) -> None:
        if outcome.result is not None:
            self._progress.end(outcome.fixture, outcome.result)
        elif outcome.stop is Stop.OUTAGE:
            self._progress.defer(outcome)
            deferred.append(outcome)
        else:
            self._progress.fail(outcome)


async def _wait_for_one(tasks: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
    """The tasks that are left when one has ended. Raises the error of a task that failed."""
    ended, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in ended:
        task.result()
    return left


Show = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """Where matches run: with `has_ray` those between bots on the Ray cluster at `address`. `patience` with outages is in
    seconds, `programs` is how many programs in seats run at once."""

    has_ray: bool = False
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
                return runner.run(until_stopped(self._run(waiting, show, interval)))
        except KeyboardInterrupt:  # before the event loop listens, or from code that blocked it
            return False

    async def play(self, show: Show, interval: float, budget: Budget) -> None:
        """The same on an event loop that runs, within a budget that others share. Cancelled, it pauses the matches."""
        await self._run(self._count(), show, interval, budget)

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

    async def _run(self, waiting: _Waiting, show: Show, interval: float, budget: Budget | None = None) -> None:
        progress = self.progress
        async with AsyncExitStack() as stack:
            if waiting.needs_client:
                progress.budget = budget or self._ledger(stack)
            if progress.is_decided or not waiting.slow + waiting.bots:
                return
            slots = self._program_slots(waiting.programs)
            if waiting.needs_client:
                await self._prepare_models()
            executor = self._executor(waiting)
            stack.push_async_callback(executor.close)
            plan, patience = self._plan, self._options.patience
            dispatcher = Dispatcher(executor, progress, plan.concurrency, patience, plan.on_error, slots)
            stack.callback(asyncio.create_task(_show_regularly(show, progress, interval)).cancel)
            await dispatcher.run(self._unfinished)

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
        await start_local(tables, PromptPack(self._plan.prompts), environment, self._plan.concurrency)

    def _ledger(self, stack: AsyncExitStack) -> Budget:
        budget = self._folder.budget(self._plan.budget, self._plan.budget_tokens)
        self.progress.open_calls = budget.open_calls
        stack.callback(budget.close, is_kept=True)
        return budget

    def _program_slots(self, most: int) -> int:
        """How many programs run at once, when a match has at most this number. UsageError when that is too few for it."""
        slots = self._options.programs
        if slots is not None and slots < most:
            raise UsageError(f"--programs {slots}: a match has {counted(most, 'program')}, which play at the same time.")
        return max(default_slots(), most) if slots is None else slots

    def _executor(self, waiting: _Waiting) -> Executor:
        options, progress, rates = self._options, self.progress, RateLimiters()
        player = MatchPlayer(
            self._folder.path, self._shared, lambda seed, mistakes: new_client(progress.budget, seed, mistakes, rates)
        )
        if options.has_ray:
            from runner.arena.ray_executor import RayExecutor

            processes = min(available_cpus(), waiting.searching)
            return RayExecutor(player, processes, progress, options.address, options.workers)
        processes = min(options.workers or available_cpus(), max(waiting.bots, waiting.searching))
        return Executor(player, processes, progress, all_variables() if waiting.has_others else own_variables())


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


def stopped_by(running: Coroutine[None, None, None], interrupted: str = "it was interrupted.") -> TabletopError | None:
    """Run to the end, or until Ctrl-C; what stopped it before its end."""
    try:
        return None if asyncio.run(until_stopped(running)) else PausedError(interrupted)
    except (PausedError, AccountError, UsageError) as stop:
        return stop
