"""Match outcome: the result of a scheduled match, or why it stopped."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import NamedTuple

from runner.arena.schedule import Fixture
from runner.errors import AccountError, HopelessError, LogDamagedError, PausedError, TabletopError, UsageError
from runner.llm.call_errors import BudgetSpent, LimitReached
from runner.match.records import ResultRecord


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
)
"""The stop of each kind of error, specific kinds first."""


class Outcome(NamedTuple):
    """A match with its result, or with the reason why it stopped and the agent that caused it, if one did."""

    fixture: Fixture
    result: ResultRecord | None
    stop: Stop | None = None
    why: str = ""
    agent: str | None = None


def stopped(fixture: Fixture, error: BaseException) -> Outcome:
    """The outcome of a match that an error stopped."""
    stop = next((stop for kind, stop in _STOPS if isinstance(error, kind)), Stop.BUG)
    why = "interrupted" if stop is Stop.INTERRUPTED else str(error) or type(error).__name__
    seat = error.seat if isinstance(error, TabletopError) else None
    return Outcome(fixture, None, stop, why, None if seat is None else fixture.seats[seat].name)


def error_of(outcome: Outcome, remedy: str) -> Exception:
    """The error that tells the user why a match stopped and what to do next."""
    if outcome.stop is Stop.BUG:
        return RuntimeError(f"{outcome.fixture.name}: {outcome.why}")
    if outcome.stop is Stop.DAMAGED:
        return LogDamagedError(1, f"{outcome.fixture.name}: {outcome.why}")
    kind = {Stop.USAGE: UsageError, Stop.ACCOUNT: AccountError}.get(outcome.stop or Stop.BUG, PausedError)
    return kind(outcome.why, remedy=remedy)
