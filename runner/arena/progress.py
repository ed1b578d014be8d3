"""How far a tournament has come."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from runner.arena.budget_forecast import Takings
from runner.arena.match_outcome import Outcome
from runner.arena.schedule import Fixture, kind_of
from runner.llm.budget import Budget
from runner.match.events import MatchEvent
from runner.standings.count_matrix import Layout, Vector
from runner.standings.rated_match import played_of


@dataclass
class Progress:
    """Counts of a tournament as it is run, and the counts that ratings are made of.

    `cut_off` is how many calls an earlier run was killed in the midst of, and what they are charged in USD.
    """

    total: int = 0
    ended: int = 0
    ended_before: int = 0
    running: dict[str, Fixture] = field(default_factory=dict)
    deferred: dict[str, Outcome] = field(default_factory=dict)
    failed: dict[str, Outcome] = field(default_factory=dict)
    strikes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    budget: Budget = field(default_factory=Budget)
    cut_off: tuple[int, float] = (0, 0.0)
    takings: Takings = field(default_factory=Takings)
    decisions: int = 0
    began: float = field(default_factory=time.monotonic)
    layouts: dict[str, Layout] = field(default_factory=dict)
    deals: dict[str, dict[tuple[str, str], Vector]] = field(default_factory=dict)

    def expect(self, fixtures: Iterable[Fixture]) -> None:
        """Make room for the matches to come."""
        agents: dict[str, set[str]] = {}
        seats: dict[str, set[tuple[str, int]]] = {}
        for fixture in fixtures:
            self.total += 1
            agents.setdefault(fixture.game, set()).update(entrant.name for entrant in fixture.seats)
            seats.setdefault(fixture.game, set()).update((kind_of(fixture), seat) for seat in range(fixture.players))
        for game, names in agents.items():
            self.layouts[game] = Layout(names, seats[game])
            self.deals[game] = {}

    def begin(self, fixture: Fixture) -> None:
        """A match has begun, or goes on."""
        self.running[fixture.name] = fixture
        self.deferred.pop(fixture.name, None)

    def defer(self, outcome: Outcome) -> None:
        """A match waits for better times."""
        self.running.pop(outcome.fixture.name, None)
        self.deferred[outcome.fixture.name] = outcome

    def fail(self, outcome: Outcome) -> None:
        """A match stays unfinished."""
        self.running.pop(outcome.fixture.name, None)
        self.deferred.pop(outcome.fixture.name, None)
        self.failed[outcome.fixture.name] = outcome

    def note(self, agent: str, outcome: str) -> None:
        """An agent's attempt was a mistake, or failed on its way."""
        (self.strikes if outcome == "mistake" else self.failures)[agent] += 1

    def end(self, fixture: Fixture, result: dict[str, Any], was_before: bool = False) -> None:
        """A match has ended, now or in an earlier run."""
        self.running.pop(fixture.name, None)
        self.ended += 1
        self.ended_before += was_before
        self.decisions += sum(seat["decisions"] for seat in result["seats"])
        self.takings.learn(fixture, result)
        kind, deal = kind_of(fixture), str(fixture.seed)
        names = [entrant.name for entrant in fixture.seats]
        layout, deals = self.layouts[fixture.game], self.deals[fixture.game]
        layout.add(deals.setdefault((kind, deal), layout.vector(())), played_of(kind, deal, names, result))

    def affords(self, fixture: Fixture) -> bool:
        """Whether the budget is likely to do for one more match beside those that are running."""
        return self.takings.fit(self.budget, [*self.running.values(), fixture])

    @property
    def spent(self) -> float:
        """USD spent so far, in earlier runs too."""
        return self.budget.spent_usd

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.began

    @property
    def left(self) -> float | None:
        """Seconds until the end, if it goes on like this."""
        done = self.ended - self.ended_before
        return self.elapsed / done * (self.total - self.ended) if done else None

    @property
    def forecast(self) -> float | None:
        """What all of it will have cost, if it goes on like this."""
        return self.spent / self.ended * self.total if self.ended and self.spent else None


class FailureSink:
    """Sink that tells of the attempts of one match that brought no valid answer: whose, and their outcome."""

    def __init__(self, fixture: Fixture, tell: Callable[[str, str], None]) -> None:
        self._names = [entrant.name for entrant in fixture.seats]
        self._tell = tell

    async def emit(self, event: MatchEvent) -> None:
        """Tell of an attempt that was no answer."""
        record = event.record
        if record["kind"] == "attempt" and record["outcome"] != "answer":
            self._tell(self._names[record["seat"]], record["outcome"])
