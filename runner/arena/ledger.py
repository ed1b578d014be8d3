"""Ledger: what a tournament has spent, in a file beside its logs. Reservations of open calls are recorded too, so that a kill
loses no charge."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from runner.errors import PausedError
from runner.llm.budget import Budget, Reservation
from runner.llm.prices import WorstCase
from runner.record.call_journal import CallJournal, Spending, balance
from runner.record.log_copies import originals
from runner.record.log_folder import summaries

_NAME = ".ledger"


class OpenCalls(NamedTuple):
    """Calls that an earlier run was killed in: their number and what they are charged in USD."""

    number: int = 0
    usd: float = 0.0


class LedgerBudget(Budget):
    """A budget that records each reservation before it is made, and again when it is settled.

    A reservation that was never settled is charged in full at the next start, because the endpoint may have billed the call.
    """

    def __init__(self, folder: Path, usd: float | None, tokens: int | None = None) -> None:
        settled, unsettled = balance(folder / _NAME)
        self.open_calls = OpenCalls(len(unsettled), sum(lost.usd for lost in unsettled))
        logged = logged_spending(folder)
        spent_usd = max(settled.usd + self.open_calls.usd, logged.usd)
        spent_tokens = max(settled.tokens + sum(lost.tokens for lost in unsettled), logged.tokens)
        super().__init__(usd, tokens, spent_usd, spent_tokens)
        self._journal = CallJournal(folder / _NAME, Spending(spent_usd, spent_tokens))

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call and record it. PausedError when the disk does not take the record."""
        reservation = await super().reserve(worst, source)
        if reservation.tokens:
            try:
                self._journal.reserved(reservation)
            except PausedError:
                super().settle(reservation, 0.0, 0, is_answer=False)
                raise
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Record and charge what the call cost. What a full disk does not take counts in full at the next start."""
        if reservation.is_open and (usd or tokens or reservation.tokens):
            self._journal.settled(reservation, usd, tokens)
        super().settle(reservation, usd, tokens, is_answer)

    def close(self) -> None:
        """Close the file."""
        self._journal.close()


def logged_spending(folder: Path) -> Spending:
    """What all attempts in the logs of a folder were charged, those of unfinished matches included."""
    found = originals(summaries(folder))
    return Spending(sum(log.cost for log in found), sum(log.tokens for log in found))
