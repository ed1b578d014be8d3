"""Progress: the counts of a tournament that is running."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from games.core import GameFault
from runner.arena.schedule import Fixture, kind_of
from runner.arena.tournament_dir import OpenCalls
from runner.errors import (
    AccountError,
    BugError,
    HopelessError,
    LogDamagedError,
    PausedError,
    TabletopError,
    UsageError,
    told_fault,
    words_of,
)
from runner.llm.budget import Budget
from runner.llm.outcome import BudgetSpent, LimitReached
from runner.match.match_state import MatchEvent
from runner.match.records import ResultRecord
from runner.record.writer import Spending

_NOTHING = Spending(0.0, 0)

OnResult = Callable[[Fixture, ResultRecord], None]


@dataclass
class Progress:
    """Matches by state, invalid answers and failures by agent, cost. `on_result` is called with each match that has ended, in
    this run or an earlier one. `is_decided`: the answer is sure, and no further match begins."""

    total: int = 0
    ended: int = 0
    ended_before: int = 0
    running: dict[str, Fixture] = field(default_factory=dict)
    deferred: dict[str, MatchOutcome] = field(default_factory=dict)
    failed: dict[str, MatchOutcome] = field(default_factory=dict)
    strikes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    budget: Budget = field(default_factory=Budget)
    open_calls: OpenCalls = field(default_factory=OpenCalls)
    on_result: OnResult | None = None
    is_decided: bool = False
    _paid_ended: int = 0
    _highest: dict[tuple[str, str], Spending] = field(default_factory=dict)
    _started: float = field(default_factory=time.monotonic)

    def begin(self, fixture: Fixture) -> None:
        self.running[fixture.name] = fixture
        self.deferred.pop(fixture.name, None)

    def defer(self, outcome: MatchOutcome) -> None:
        self.running.pop(outcome.fixture.name, None)
        self.deferred[outcome.fixture.name] = outcome

    def fail(self, outcome: MatchOutcome) -> None:
        self.running.pop(outcome.fixture.name, None)
        self.deferred.pop(outcome.fixture.name, None)
        self.failed[outcome.fixture.name] = outcome

    def note(self, agent: str, outcome: str) -> None:
        (self.strikes if outcome == "mistake" else self.failures)[agent] += 1

    def end(self, fixture: Fixture, result: ResultRecord, was_before: bool = False) -> None:
        self.running.pop(fixture.name, None)
        self.ended += 1
        self.ended_before += was_before
        if fixture.needs_client:
            self._paid_ended += 1
            for entrant, seat in zip(fixture.seats, result["seats"], strict=True):
                key = kind_of(fixture), entrant.name
                tokens = seat["prompt_tokens"] + seat["completion_tokens"]
                self._highest[key] = _most(self._highest.get(key, _NOTHING), Spending(seat["cost"], tokens))
        if self.on_result is not None:
            self.on_result(fixture, result)

    def affords(self, fixture: Fixture) -> bool:
        """Whether the budget is likely to pay for one more match beside those that are running, all from their start. Each seat
        counts at the highest cost of its agent in a finished match of this kind, or of all agents where it is new. The margin
        shrinks as more matches end; before the first one ends nothing fits."""
        if not self.budget.is_limited or not self._paid_ended:
            return not self.budget.is_limited
        margin, most = 1 + 1 / self._paid_ended, _most(*self._highest.values())
        playing = [*self.running.values(), fixture]
        seats = [self._highest.get((kind_of(one), entrant.name), most) for one in playing for entrant in one.seats]
        return self.budget.pays_for(sum(seat.usd for seat in seats) * margin, sum(seat.tokens for seat in seats) * margin)

    @property
    def spent(self) -> float:
        """USD spent so far, in earlier runs too."""
        return self.budget.spent_usd

    @property
    def seconds(self) -> float:
        """Since this run began."""
        return time.monotonic() - self._started

    @property
    def rate(self) -> float:
        """Matches a second that this run has ended."""
        return (self.ended - self.ended_before) / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        return (self.total - self.ended) / self.rate if self.rate else None

    @property
    def expected_cost(self) -> float | None:
        return self.spent / self.ended * self.total if self.ended and self.spent else None


def _most(*costs: Spending) -> Spending:
    return Spending(*map(max, zip(*costs, strict=True)))


class FailureSink:
    """Reports each attempt of one match that is no valid answer, with its agent and its outcome."""

    def __init__(self, fixture: Fixture, report: Callable[[str, str], None]) -> None:
        self._names = [entrant.name for entrant in fixture.seats]
        self._report = report

    async def emit(self, event: MatchEvent) -> None:
        record = event.record
        if record["kind"] == "attempt" and record["outcome"] not in ("answer", "policy"):
            self._report(self._names[record["seat"]], record["outcome"])


def check_ended(progress: Progress, has_run: bool, what: str, again: str) -> None:
    """The gravest error of a run that stopped before its end, or was interrupted (not `has_run`). `what` names the run at the
    start of a sentence, `again` says how to continue."""
    if not has_run:
        raise PausedError(f"{what} was interrupted.", remedy=again)
    stops = {outcome.stop: outcome for outcome in progress.failed.values()}
    for stop in (Stop.BUG, Stop.DAMAGED, Stop.USAGE, Stop.ACCOUNT):
        if stop in stops:
            raise error_of(stops[stop], again)
    if Stop.BUDGET in stops:
        raise PausedError(f"The budget is spent: {stops[Stop.BUDGET].why}", remedy=again)
    for outcome in stops.values():
        raise PausedError(f"{what} is paused: {outcome.why.rstrip('.')}.", remedy=again)


class Stop(StrEnum):
    """Why a match is not finished. An outage is retried in the same run, the others are not."""

    OUTAGE = "outage"
    STUCK = "stuck"
    BUDGET = "budget"
    LIMIT = "limit"
    ACCOUNT = "account"
    USAGE = "usage"
    INTERRUPTED = "interrupted"
    DAMAGED = "damaged"
    BUG = "bug"


_STOPS: tuple[tuple[type[BaseException], Stop], ...] = (
    (asyncio.CancelledError, Stop.INTERRUPTED),
    (HopelessError, Stop.STUCK),
    (BudgetSpent, Stop.BUDGET),
    (LimitReached, Stop.LIMIT),
    (PausedError, Stop.OUTAGE),
    (AccountError, Stop.ACCOUNT),
    (UsageError, Stop.USAGE),
    (LogDamagedError, Stop.DAMAGED),
    (OSError, Stop.OUTAGE),
)
"""The stop of each kind of error, specific kinds first."""


class MatchOutcome(NamedTuple):
    """A match with its result, or with the reason why it stopped and the agent that caused it, if one did. `trace` is the
    traceback of a bug in this run; the `why` of a game's bug names a file with its own."""

    fixture: Fixture
    result: ResultRecord | None
    stop: Stop | None = None
    why: str = ""
    agent: str | None = None
    trace: str = ""


def stopped(fixture: Fixture, error: BaseException) -> MatchOutcome:
    stop = next((stop for kind, stop in _STOPS if isinstance(error, kind)), Stop.BUG)
    why = "interrupted" if stop is Stop.INTERRUPTED else told_fault(error) if isinstance(error, GameFault) else words_of(error)
    seat = error.seat if isinstance(error, TabletopError) else None
    trace = "".join(traceback.format_exception(error)) if stop is Stop.BUG and not isinstance(error, GameFault) else ""
    return MatchOutcome(fixture, None, stop, why, None if seat is None else fixture.seats[seat].name, trace)


def error_of(outcome: MatchOutcome, remedy: str) -> Exception:
    """The error that tells the user why a match stopped and what to do next."""
    if outcome.stop is Stop.BUG:
        return BugError(f"{outcome.fixture.name} failed: {outcome.why.rstrip('.')}.", remedy=remedy)
    if outcome.stop is Stop.DAMAGED:
        return LogDamagedError(1, f"{outcome.fixture.name}: {outcome.why}")
    kind = {Stop.USAGE: UsageError, Stop.ACCOUNT: AccountError}.get(outcome.stop or Stop.BUG, PausedError)
    return kind(outcome.why, remedy=remedy)
