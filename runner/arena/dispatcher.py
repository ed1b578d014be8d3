"""Dispatcher: runs the matches of a schedule on an executor, as many at once as permitted, whatever happens to some of them.

With a budget, a match starts only when the rest is likely to pay for it and for all running ones; one always runs. So the
budget pays for matches that end, in the order of the schedule.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from runner.arena.executor import Executor
from runner.arena.match_outcome import Outcome, Stop, stopped
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture

DOWN_AFTER = 3
"""An agent counts as down after this many outages in a row; its matches are put off."""

FIRST_WAIT = 5.0
"""Seconds before the first retry of matches that were put off; each further wait is twice as long."""


@dataclass
class CircuitBreaker:
    """What keeps matches from starting: agents that are down or refused, a budget that is spent."""

    outages: Counter[str] = field(default_factory=Counter)
    refused: dict[str, Outcome] = field(default_factory=dict)
    budget: str = ""

    def note(self, outcome: Outcome) -> None:
        """Learn from the outcome of a match."""
        if outcome.stop is None:
            for entrant in outcome.fixture.seats:
                self.outages.pop(entrant.name, None)
        elif outcome.stop is Stop.BUDGET:
            self.budget = outcome.why
        elif outcome.agent is not None and outcome.stop is Stop.OUTAGE:
            self.outages[outcome.agent] += 1
        elif outcome.agent is not None and outcome.stop in (Stop.ACCOUNT, Stop.LIMIT, Stop.USAGE):
            self.refused[outcome.agent] = outcome

    def blocks(self, fixture: Fixture) -> Outcome | None:
        """The outcome of a match that must not start now; None for any other."""
        for entrant in fixture.seats:
            if entrant.name in self.refused:
                return self.refused[entrant.name]._replace(fixture=fixture)
            if self.outages[entrant.name] >= DOWN_AFTER:
                return Outcome(fixture, None, Stop.OUTAGE, f"{entrant.name} is down", entrant.name)
        return Outcome(fixture, None, Stop.BUDGET, self.budget) if self.budget and fixture.needs_client else None


class Dispatcher:
    """Runs matches. For `patience` seconds after all others have ended it retries those that an outage stopped."""

    def __init__(self, executor: Executor, progress: Progress, concurrency: int, patience: float) -> None:
        self._executor, self._progress = executor, progress
        self._concurrency, self._patience = concurrency, patience
        self._breaker = CircuitBreaker()
        self._is_stopped = False

    async def run(self, fixtures: Callable[[], Iterable[Fixture]]) -> None:
        """Run all matches. When cancelled, pause those of models and let those between bots end."""
        models = (fixture for fixture in fixtures() if fixture.needs_client)
        bots = (fixture for fixture in fixtures() if not fixture.needs_client)
        lanes = [
            asyncio.ensure_future(self._lane(models, self._concurrency)),
            asyncio.ensure_future(self._lane(bots, self._executor.bots_at_once)),
        ]
        try:
            await asyncio.wait(lanes)
        except asyncio.CancelledError:
            self._is_stopped = True
            lanes[0].cancel()
            await asyncio.wait(lanes)
            raise
        for lane in lanes:
            lane.result()

    async def _lane(self, fixtures: Iterator[Fixture], most: int) -> None:
        deferred = await self._run_all(fixtures, most)
        wait, until = FIRST_WAIT, time.monotonic() + self._patience
        while deferred and not self._is_stopped and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(wait, left))
            wait *= 2
            self._breaker.outages.clear()
            deferred = await self._run_all((outcome.fixture for outcome in deferred), most)
        for outcome in deferred:
            self._progress.fail(outcome)

    async def _run_all(self, fixtures: Iterable[Fixture], most: int) -> list[Outcome]:
        """Run matches, at most `most` at once; the outcomes of those that an outage stopped."""
        deferred: list[Outcome] = []
        running: set[asyncio.Task[None]] = set()
        try:
            for fixture in fixtures:
                while running and fixture.needs_client and not self._progress.affords(fixture):
                    running = await _wait_for_one(running)
                if self._is_stopped:
                    break
                if blocked := self._breaker.blocks(fixture):
                    self._settle(blocked, deferred)
                    continue
                self._progress.begin(fixture)
                running.add(asyncio.create_task(self._run_one(fixture, deferred)))
                if len(running) >= most:
                    running = await _wait_for_one(running)
            if running:
                await asyncio.wait(running)
        except asyncio.CancelledError:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            raise
        return deferred

    async def _run_one(self, fixture: Fixture, deferred: list[Outcome]) -> None:
        try:
            outcome = await self._executor.play(fixture)
        except Exception as error:
            outcome = stopped(fixture, error)
        self._breaker.note(outcome)
        self._settle(outcome, deferred)

    def _settle(self, outcome: Outcome, deferred: list[Outcome]) -> None:
        if outcome.result is not None:
            self._progress.end(outcome.fixture, outcome.result)
        elif outcome.stop is Stop.OUTAGE:
            self._progress.defer(outcome)
            deferred.append(outcome)
        else:
            self._progress.fail(outcome)


async def _wait_for_one(tasks: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
    """The tasks that are left when one has ended."""
    return (await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED))[1]
