"""Progress: the counts of a tournament that is running."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from runner.arena.budget_forecast import BudgetForecast
from runner.arena.ledger import OpenCalls
from runner.arena.match_outcome import Outcome
from runner.arena.schedule import Fixture
from runner.llm.budget import Budget
from runner.match.events import MatchEvent
from runner.match.records import ResultRecord

OnResult = Callable[[Fixture, ResultRecord], None]


@dataclass
class Progress:
    """Matches by state, invalid answers and failures by agent, cost. `on_result` is called with each match that has ended, in
    this run or an earlier one."""

    total: int = 0
    ended: int = 0
    ended_before: int = 0
    running: dict[str, Fixture] = field(default_factory=dict)
    deferred: dict[str, Outcome] = field(default_factory=dict)
    failed: dict[str, Outcome] = field(default_factory=dict)
    strikes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    budget: Budget = field(default_factory=Budget)
    open_calls: OpenCalls = field(default_factory=OpenCalls)
    on_result: OnResult | None = None
    _forecast: BudgetForecast = field(default_factory=BudgetForecast)
    _started: float = field(default_factory=time.monotonic)

    def begin(self, fixture: Fixture) -> None:
        """A match has started or been resumed."""
        self.running[fixture.name] = fixture
        self.deferred.pop(fixture.name, None)

    def defer(self, outcome: Outcome) -> None:
        """A match is put off and will be retried."""
        self.running.pop(outcome.fixture.name, None)
        self.deferred[outcome.fixture.name] = outcome

    def fail(self, outcome: Outcome) -> None:
        """A match stays unfinished."""
        self.running.pop(outcome.fixture.name, None)
        self.deferred.pop(outcome.fixture.name, None)
        self.failed[outcome.fixture.name] = outcome

    def note(self, agent: str, outcome: str) -> None:
        """An agent's attempt was a mistake or a transport failure."""
        (self.strikes if outcome == "mistake" else self.failures)[agent] += 1

    def end(self, fixture: Fixture, result: ResultRecord, was_before: bool = False) -> None:
        """A match has ended, in this run or an earlier one."""
        self.running.pop(fixture.name, None)
        self.ended += 1
        self.ended_before += was_before
        self._forecast.learn(fixture, result)
        if self.on_result is not None:
            self.on_result(fixture, result)

    def affords(self, fixture: Fixture) -> bool:
        """Whether the budget is likely to pay for one more match beside those that are running."""
        return self._forecast.fits(self.budget, [*self.running.values(), fixture])

    @property
    def spent(self) -> float:
        """USD spent so far, in earlier runs too."""
        return self.budget.spent_usd

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the end at the present rate."""
        done = self.ended - self.ended_before
        return (time.monotonic() - self._started) / done * (self.total - self.ended) if done else None

    @property
    def expected_cost(self) -> float | None:
        """USD that all matches will have cost at the present rate."""
        return self.spent / self.ended * self.total if self.ended and self.spent else None


class FailureSink:
    """Reports each attempt of one match that is no valid answer, with its agent and its outcome."""

    def __init__(self, fixture: Fixture, report: Callable[[str, str], None]) -> None:
        self._names = [entrant.name for entrant in fixture.seats]
        self._report = report

    async def emit(self, event: MatchEvent) -> None:
        """Report an attempt that is no valid answer."""
        record = event.record
        if record["kind"] == "attempt" and record["outcome"] != "answer":
            self._report(self._names[record["seat"]], record["outcome"])
