"""Running matches: all matches at once that may be, whatever happens to some of them.

Under a budget a match begins only when the money is likely to do for it and for those that are running; one always goes on. So
the money buys matches that end, in the order of the schedule.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from runner.arena.executor import Engine
from runner.arena.match_outcome import Outcome, Stop, stopped
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture

DOWN_AFTER = 3
"""After so many outages in a row an agent counts as down, and its matches are put off."""


FIRST_WAIT = 5.0


@dataclass
class Trouble:
    """What keeps matches from being played: agents that are down, refused or set up wrongly, a budget that is spent."""

    outages: Counter[str] = field(default_factory=Counter)
    refused: dict[str, Outcome] = field(default_factory=dict)
    budget: str = ""

    def note(self, outcome: Outcome) -> None:
        """Learn from how a match went."""
        if outcome.stop is None:
            for entrant in outcome.fixture.seats:
                self.outages.pop(entrant.name, None)
        elif outcome.stop is Stop.BUDGET:
            self.budget = outcome.why
        elif outcome.culprit is not None and outcome.stop is Stop.OUTAGE:
            self.outages[outcome.culprit] += 1
        elif outcome.culprit is not None and outcome.stop in (Stop.ACCOUNT, Stop.USAGE):
            self.refused[outcome.culprit] = outcome

    def keeps(self, fixture: Fixture) -> Outcome | None:
        """The outcome of a match that had better not be begun now."""
        for entrant in fixture.seats:
            if entrant.name in self.refused:
                return self.refused[entrant.name]._replace(fixture=fixture)
            if self.outages[entrant.name] >= DOWN_AFTER:
                return Outcome(fixture, None, Stop.OUTAGE, f"{entrant.name} is down", entrant.name)
        return Outcome(fixture, None, Stop.BUDGET, self.budget) if self.budget and fixture.needs_client else None


class Running:
    """Everything that is under way. For `patience` seconds after all others have ended, matches that an outage stopped are
    tried again."""

    def __init__(self, engine: Engine, progress: Progress, concurrency: int, patience: float) -> None:
        self._engine, self._progress = engine, progress
        self._concurrency, self._patience = concurrency, patience
        self._trouble = Trouble()
        self._is_stopped = False

    async def run(self, fixtures: Callable[[], Iterable[Fixture]]) -> None:
        """Play all matches that have not ended. When cancelled, pause those of models, and let those between bots end."""
        models = (fixture for fixture in fixtures() if fixture.needs_client)
        bots = (fixture for fixture in fixtures() if not fixture.needs_client)
        lanes = [
            asyncio.ensure_future(self._lane(models, self._concurrency)),
            asyncio.ensure_future(self._lane(bots, self._engine.bots_at_once)),
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
        put_off = await self._through(fixtures, most)
        wait, until = FIRST_WAIT, time.monotonic() + self._patience
        while put_off and not self._is_stopped and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(wait, left))
            wait *= 2
            self._trouble.outages.clear()
            put_off = await self._through((outcome.fixture for outcome in put_off), most)
        for outcome in put_off:
            self._progress.fail(outcome)

    async def _through(self, fixtures: Iterable[Fixture], most: int) -> list[Outcome]:
        """Play matches, so many at once; those that an outage stopped are given back."""
        put_off: list[Outcome] = []
        under_way: set[asyncio.Task[None]] = set()

        async def one(fixture: Fixture) -> None:
            try:
                outcome = await self._engine.play(fixture)
            except Exception as error:
                outcome = stopped(fixture, error)
            self._trouble.note(outcome)
            self._settle(outcome, put_off)

        try:
            for fixture in fixtures:
                while under_way and fixture.needs_client and not self._progress.affords(fixture):
                    under_way = await _one_less(under_way)
                if self._is_stopped:
                    break
                if kept := self._trouble.keeps(fixture):
                    self._settle(kept, put_off)
                    continue
                self._progress.begin(fixture)
                under_way.add(asyncio.create_task(one(fixture)))
                if len(under_way) >= most:
                    under_way = await _one_less(under_way)
            if under_way:
                await asyncio.wait(under_way)
        except asyncio.CancelledError:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
            raise
        return put_off

    def _settle(self, outcome: Outcome, put_off: list[Outcome]) -> None:
        if outcome.result is not None:
            self._progress.end(outcome.fixture, outcome.result)
        elif outcome.stop is Stop.OUTAGE:
            self._progress.defer(outcome)
            put_off.append(outcome)
        else:
            self._progress.fail(outcome)


async def _one_less(tasks: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
    """What is still under way when something has ended."""
    return (await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED))[1]
