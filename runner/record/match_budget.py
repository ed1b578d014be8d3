"""Match budget: the budget of one match, with a journal beside its log while calls are in flight."""

from __future__ import annotations

from pathlib import Path

from runner.llm.budget import Budget, Reservation
from runner.llm.prices import WorstCase
from runner.record.call_journal import CallJournal, Spending, balance, journal_of
from runner.record.reader import Log
from runner.record.resume_cursor import ResumeCursor

_LEAST_USD = 1e-9
"""USD below which a difference is one of rounding."""


class MatchBudget(Budget):
    """A budget that records each reservation before its call, also where there is no limit: a later session may have one."""

    def __init__(self, log: Path, usd: float | None, tokens: int | None, spent: Spending) -> None:
        super().__init__(usd, tokens, spent.usd, spent.tokens)
        self._path = journal_of(log)
        self._journal: CallJournal | None = None
        self._open = 0

    @property
    def reserves(self) -> bool:
        """Whether each call's maximum is set aside."""
        return True

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call and record it."""
        reservation = await super().reserve(worst, source)
        if self._journal is None:
            self._journal = CallJournal(self._path, Spending(self.spent_usd, self.spent_tokens))
        self._open += 1
        self._journal.reserved(reservation)
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Record and charge what the call cost."""
        if reservation.is_open and self._journal is not None:
            self._open -= 1
            self._journal.settled(reservation, usd, tokens)
        super().settle(reservation, usd, tokens, is_answer)

    def close(self) -> None:
        """Delete the journal: every call is settled and logged."""
        if self._journal is not None:
            self._journal.close()
            if not self._open:
                self._path.unlink(missing_ok=True)


def logged_spending(log: Log) -> Spending:
    """What the records of a log took out of its match's budget."""
    cursor = ResumeCursor.of(log.header, log.records)
    return Spending(cursor.spent, cursor.spent_tokens)


def unlogged(log: Path, logged: Spending) -> Spending | None:
    """What a session that was killed had set aside or charged beyond what the log says; None if nothing."""
    settled, unsettled = balance(journal_of(log))
    usd = settled.usd + sum(lost.usd for lost in unsettled) - logged.usd
    tokens = settled.tokens + sum(lost.tokens for lost in unsettled) - logged.tokens
    found = Spending(usd if usd > _LEAST_USD else 0.0, max(tokens, 0))
    return found if any(found) else None
