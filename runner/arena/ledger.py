"""Ledger: what a tournament has spent, in a journal of calls beside its logs, so that a kill loses no charge."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from runner.record.log_folder import originals, summaries
from runner.record.match_budget import MatchBudget, Spending, balance

_NAME = ".ledger"


class OpenCalls(NamedTuple):
    """Calls that an earlier run was killed in: their number and what they are charged in USD."""

    number: int = 0
    usd: float = 0.0


class LedgerBudget(MatchBudget):
    """The budget of a tournament. A reservation that was never settled is charged in full at the next start, because the
    endpoint may have billed the call."""

    def __init__(self, folder: Path, usd: float | None, tokens: int | None = None) -> None:
        settled, unsettled = balance(folder / _NAME)
        self.open_calls = OpenCalls(len(unsettled), sum(lost.usd for lost in unsettled))
        logged = logged_spending(folder)
        spent_usd = max(settled.usd + self.open_calls.usd, logged.usd)
        spent_tokens = max(settled.tokens + sum(lost.tokens for lost in unsettled), logged.tokens)
        super().__init__(folder / _NAME, usd, tokens, Spending(spent_usd, spent_tokens))
        self.begin()

    def close(self, is_kept: bool = True) -> None:
        super().close(is_kept)


def logged_spending(folder: Path) -> Spending:
    """What all attempts in the logs of a folder were charged, those of unfinished matches included."""
    found = originals(summaries(folder))
    return Spending(sum(log.cost for log in found), sum(log.tokens for log in found))
