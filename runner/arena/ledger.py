"""Ledger: what a tournament has spent, in a file beside its logs. Reservations of open calls are recorded too, so that a kill
loses no charge."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from runner.errors import unwritable
from runner.llm.budget import Budget, Reservation
from runner.llm.prices import WorstCase
from runner.record.log_folder import summaries
from runner.record.safe_write import write_whole

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
        settled, unsettled = _balance(folder / _NAME)
        self.open_calls = OpenCalls(len(unsettled), sum(lost.usd for lost in unsettled))
        logged = logged_spending(folder)
        spent_usd = max(settled.usd + self.open_calls.usd, logged.usd)
        spent_tokens = max(settled.tokens + sum(lost.tokens for lost in unsettled), logged.tokens)
        super().__init__(usd, tokens, spent_usd, spent_tokens)
        self._path = folder / _NAME
        write_whole(self._path, f"= 0 {spent_usd!r} {spent_tokens}\n", "The ledger")
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call and record it. PausedError when the disk does not take the record."""
        reservation = await super().reserve(worst, source)
        if reservation.tokens:
            try:
                self._write("+", reservation.number, reservation.charge, reservation.tokens)
            except OSError as error:
                super().settle(reservation, 0.0, 0, is_answer=False)
                raise unwritable(f"The ledger {self._path}", error) from error
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Record and charge what the call cost. What a full disk does not take counts in full at the next start."""
        if reservation.is_open and (usd or tokens or reservation.tokens):
            with suppress(OSError):
                self._write("-", reservation.number, usd or 0.0, tokens)
        super().settle(reservation, usd, tokens, is_answer)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, what: str, number: int, usd: float, tokens: int) -> None:
        """Write a line whole or not at all."""
        line, start = f"{what} {number} {usd!r} {tokens}\n".encode("ascii"), os.fstat(self._file).st_size
        if os.write(self._file, line) < len(line):
            os.ftruncate(self._file, start)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Spending(NamedTuple):
    """An amount in USD and in tokens."""

    usd: float
    tokens: int


def logged_spending(folder: Path) -> Spending:
    """What all attempts in the logs of a folder were charged, those of unfinished matches included."""
    found = summaries(folder).values()
    return Spending(sum(log.cost for log in found), sum(log.tokens for log in found))


def _balance(path: Path) -> tuple[Spending, list[Spending]]:
    """What is settled, and the reservations that are not. A last line that was cut off is ignored."""
    settled, unsettled = Spending(0.0, 0), dict[str, Spending]()
    if path.exists():
        for line in path.read_text(encoding="ascii").rpartition("\n")[0].splitlines():
            what, number, usd, tokens = line.split()
            amount = Spending(float(usd), int(tokens))
            if what == "+":
                unsettled[number] = amount
            else:
                unsettled.pop(number, None)
                settled = Spending(settled.usd + amount.usd, settled.tokens + amount.tokens)
    return settled, list(unsettled.values())
