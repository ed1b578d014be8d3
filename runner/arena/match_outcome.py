"""Match outcome: the result of a scheduled match, or why it stopped."""

from __future__ import annotations

import asyncio
import traceback
from enum import StrEnum
from typing import NamedTuple

from games.core import GameFault
from runner.arena.schedule import Fixture
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
from runner.llm.outcome import BudgetSpent, LimitReached
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
