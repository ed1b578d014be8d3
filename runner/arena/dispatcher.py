"""Dispatcher: runs the matches of a schedule on an executor, as many at once as permitted, whatever happens to some of them.

With a budget, a match starts only when the rest is likely to pay for it and for all running ones; one always runs. So the
budget pays for matches that end, in the order of the schedule.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from runner.arena.executor import Executor
from runner.arena.plan import OnError
from runner.arena.progress import MatchOutcome, Progress, Stop, stopped
from runner.arena.schedule import Fixture
from runner.child_processes import available_cpus


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

FIRST_WAIT = 5.0
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
