"""Match outcome: the result of a scheduled match, or why it stopped."""

from __future__ import annotations

import asyncio
import traceback
from enum import StrEnum
from typing import NamedTuple

from runner.arena.schedule import Fixture
from runner.errors import (
    AccountError,
    BugError,
    HopelessError,
    LogDamagedError,
    PausedError,
    TabletopError,
    UsageError,
    words_of,
)
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
    (OSError, Stop.OUTAGE),
)
"""The stop of each kind of error, specific kinds first."""


class Outcome(NamedTuple):
    """A match with its result, or with the reason why it stopped and the agent that caused it, if one did.

    `trace` is the traceback of a bug; it is empty for a bug of an earlier run.
    """

    fixture: Fixture
    result: ResultRecord | None
    stop: Stop | None = None
    why: str = ""
    agent: str | None = None
    trace: str = ""


def stopped(fixture: Fixture, error: BaseException) -> Outcome:
    """The outcome of a match that an error stopped."""
    stop = next((stop for kind, stop in _STOPS if isinstance(error, kind)), Stop.BUG)
    why = "interrupted" if stop is Stop.INTERRUPTED else words_of(error)
    seat = error.seat if isinstance(error, TabletopError) else None
    trace = "".join(traceback.format_exception(error)) if stop is Stop.BUG else ""
    return Outcome(fixture, None, stop, why, None if seat is None else fixture.seats[seat].name, trace)


def error_of(outcome: Outcome, remedy: str) -> Exception:
    """The error that tells the user why a match stopped and what to do next."""
    if outcome.stop is Stop.BUG:
        return BugError(f"{outcome.fixture.name} failed: {outcome.why.rstrip('.')}.", remedy=remedy)
    if outcome.stop is Stop.DAMAGED:
        return LogDamagedError(1, f"{outcome.fixture.name}: {outcome.why}")
    kind = {Stop.USAGE: UsageError, Stop.ACCOUNT: AccountError}.get(outcome.stop or Stop.BUG, PausedError)
    return kind(outcome.why, remedy=remedy)
