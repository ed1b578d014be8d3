"""Match budget: the budget of one match, with a journal beside its log while calls are in flight."""

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from runner.errors import UsageError, unwritable
from runner.files import read_regular_text, write_whole
from runner.llm.budget import Budget, Reservation, WorstCase
from runner.match.header import HeaderRecord
from runner.match.records import Record
from runner.match.tally import charged_tokens
from runner.record.log_paths import journal_of
from runner.record.writer import AppendedFile


class Spending(NamedTuple):
    """An amount in USD and in tokens."""

    usd: float
    tokens: int


def balance(path: Path) -> tuple[Spending, list[Spending]]:
    """What is settled, and the reservations that are not; a line cut short is ignored. UsageError for what is no journal."""
    text = read_regular_text(path, "The journal of calls") if path.exists() else ""
    settled, unsettled = Spending(0.0, 0), dict[str, Spending]()
    try:
        for line in text.rpartition("\n")[0].splitlines():
            what, number, usd, tokens = line.split()
            amount = Spending(float(usd), int(tokens))
            if not math.isfinite(amount.usd):
                raise ValueError(usd)
            if what == "+":
                unsettled[number] = amount
            else:
                unsettled.pop(number, None)
                settled = Spending(settled.usd + amount.usd, settled.tokens + amount.tokens)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"The file {path} is no journal of calls: without it, the logs alone say what was spent.") from error
    return settled, list(unsettled.values())


_LEAST_USD = 1e-9
"""USD below which a difference is one of rounding."""


class MatchBudget(Budget):
    """A budget that records each reservation before its call, also where there is no limit: a later session may have one. Its
    journal has a line for each reservation and each settlement, and begins with what was spent before."""

    def __init__(self, path: Path, usd: float | None, tokens: int | None, spent: Spending) -> None:
        super().__init__(usd, tokens, spent.usd, spent.tokens)
        self._path = path
        self._journal: AppendedFile | None = None
        self._open = 0

    def begin(self) -> AppendedFile:
        if self._journal is None:
            write_whole(self._path, f"= 0 {self.spent_usd!r} {self.spent_tokens}\n", "The ledger")
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
            self._journal = AppendedFile(self._path, handle)
        return self._journal

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve a call's maximum and record it, on the disk unless it is free without a limit of tokens. May pause."""
        reservation = await super().reserve(worst, source)
        self._open += 1
        try:
            self.begin().write(f"+ {reservation.number} {reservation.charge!r} {reservation.tokens}\n".encode())
            if worst.usd != 0 or self.tokens is not None:
                await self.begin().sync(is_last=self._open == 1)
        except BaseException as error:
            self.settle(reservation, 0.0, 0, is_answer=False)
            if isinstance(error, OSError):
                raise unwritable(f"The ledger {self._path}", error) from error
            raise
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        if reservation.is_open:
            self._open -= 1
            if self._journal is not None:
                with suppress(OSError):  # what is not on the disk counts in full at the next start
                    self._journal.write(f"- {reservation.number} {usd or 0.0!r} {tokens}\n".encode())
        super().settle(reservation, usd, tokens, is_answer)

    def close(self, is_kept: bool = False) -> None:
        """Close the journal. It is deleted unless `is_kept`, where every call is settled: the log has them all."""
        if self._journal is not None:
            self._journal.close()
            if not (is_kept or self._open):
                self._path.unlink(missing_ok=True)


def spending(header: HeaderRecord, records: Sequence[Record]) -> Spending:
    """What the records of a log took out of its match's budget: those that a fork copied were charged to its parent's."""
    usd, tokens, fork = 0.0, 0, header.get("fork")
    for record in records[fork["lines"] if fork else 0 :]:
        if record["kind"] == "attempt":
            usd, tokens = usd + (record.get("charged") or 0.0), tokens + charged_tokens(record)
        elif record["kind"] == "resumed" and (lost := record.get("unlogged")) is not None:
            usd, tokens = usd + lost["usd"], tokens + lost["tokens"]
    return Spending(usd, tokens)


def unlogged(log: Path, logged: Spending) -> Spending | None:
    """What a session that was killed had set aside or charged beyond what the log says; None if nothing."""
    settled, unsettled = balance(journal_of(log))
    usd = settled.usd + sum(lost.usd for lost in unsettled) - logged.usd
    tokens = settled.tokens + sum(lost.tokens for lost in unsettled) - logged.tokens
    found = Spending(usd if usd > _LEAST_USD else 0.0, max(tokens, 0))
    return found if any(found) else None
