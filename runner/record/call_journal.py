"""Call journal: what is set aside for calls in flight, in a file, so that a kill loses no charge."""

from __future__ import annotations

import errno
import math
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from runner.errors import UsageError, unwritable
from runner.record.private_files import write_whole
from runner.regular_files import read_regular_text

if TYPE_CHECKING:
    from runner.llm.budget import Reservation


class Spending(NamedTuple):
    """An amount in USD and in tokens."""

    usd: float
    tokens: int


def journal_of(log: Path) -> Path:
    """The journal beside a log."""
    return log.parent / f".{log.name}.calls"


class CallJournal:
    """A file with each reservation and each settlement. It begins with what was spent before."""

    def __init__(self, path: Path, spent: Spending) -> None:
        write_whole(path, f"= 0 {spent.usd!r} {spent.tokens}\n", "The ledger")
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    def reserved(self, reservation: Reservation) -> None:
        """Record a reservation, before its call is made. PausedError when the disk does not take it."""
        try:
            self._write("+", reservation.number, reservation.charge, reservation.tokens)
        except OSError as error:
            raise unwritable(f"The ledger {self._path}", error) from error

    def settled(self, reservation: Reservation, usd: float | None, tokens: int) -> None:
        """Record what a call was charged. What a full disk does not take counts in full at the next start."""
        with suppress(OSError):
            self._write("-", reservation.number, usd or 0.0, tokens)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, what: str, number: int, usd: float, tokens: int) -> None:
        """Write a line whole or not at all."""
        line, start = f"{what} {number} {usd!r} {tokens}\n".encode("ascii"), os.fstat(self._file).st_size
        if os.write(self._file, line) < len(line):
            os.ftruncate(self._file, start)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def balance(path: Path) -> tuple[Spending, list[Spending]]:
    """What is settled, and the reservations that are not. A last line that was cut off is ignored.

    UsageError when the file is no journal of calls.
    """
    text = read_regular_text(path, "The journal of calls") if path.exists() else ""
    try:
        return _added_up(text)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"The file {path} is no journal of calls: without it, the logs alone say what was spent.") from error


def _added_up(text: str) -> tuple[Spending, list[Spending]]:
    settled, unsettled = Spending(0.0, 0), dict[str, Spending]()
    for line in text.rpartition("\n")[0].splitlines():
        what, number, usd, tokens = line.split()
        amount = Spending(_finite(usd), int(tokens))
        if what == "+":
            unsettled[number] = amount
        else:
            unsettled.pop(number, None)
            settled = Spending(settled.usd + amount.usd, settled.tokens + amount.tokens)
    return settled, list(unsettled.values())


def _finite(word: str) -> float:
    if not math.isfinite(amount := float(word)):
        raise ValueError(word)
    return amount
