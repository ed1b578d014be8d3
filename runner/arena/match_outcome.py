"""How it went with a scheduled match."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Any, NamedTuple

from runner.arena.blame import culprit
from runner.arena.schedule import Fixture
from runner.errors import AccountError, HopelessError, LogDamagedError, PausedError, UsageError
from runner.llm.call_errors import BudgetSpent


class Stop(StrEnum):
    """Why a match is not finished. An outage is tried again in the same run, the others are not."""

    OUTAGE = "outage"
    STUCK = "stuck"
    BUDGET = "budget"
    ACCOUNT = "account"
    USAGE = "usage"
    INTERRUPTED = "interrupted"
    DAMAGED = "damaged"
    BUG = "bug"


class Outcome(NamedTuple):
    """A match that ended with a result, or was stopped by something, perhaps by the fault of an agent."""

    fixture: Fixture
    result: dict[str, Any] | None
    stop: Stop | None = None
    why: str = ""
    culprit: str | None = None


def stopped(fixture: Fixture, error: BaseException) -> Outcome:
    """The outcome of a match that an error stopped."""
    kind = _kind(error)
    why = "interrupted" if kind is Stop.INTERRUPTED else str(error) or type(error).__name__
    return Outcome(fixture, None, kind, why, culprit(error))


def _kind(error: BaseException) -> Stop:
    if isinstance(error, asyncio.CancelledError):
        return Stop.INTERRUPTED
    if isinstance(error, PausedError):
        stuck = Stop.STUCK if isinstance(error, HopelessError) else Stop.OUTAGE
        return Stop.BUDGET if isinstance(error, BudgetSpent) else stuck
    if isinstance(error, AccountError | UsageError):
        return Stop.ACCOUNT if isinstance(error, AccountError) else Stop.USAGE
    return Stop.DAMAGED if isinstance(error, LogDamagedError) else Stop.BUG
