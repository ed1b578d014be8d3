"""Call journal: what is set aside for calls in flight, in a file, so that a kill loses no charge."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from runner.llm.budget import Reservation
from runner.record.private_files import write_private


class Spending(NamedTuple):
    """An amount in USD and in tokens."""

    usd: float
    tokens: int


class CallJournal:
    """A file with each reservation and each settlement. It begins with what was spent before."""

    def __init__(self, path: Path, spent: Spending) -> None:
        fresh = path.with_name(f"{path.name}.new")
        write_private(fresh, f"= 0 {spent.usd!r} {spent.tokens}\n")
        fresh.replace(path)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    def reserved(self, reservation: Reservation) -> None:
        """Record a reservation, before its call is made."""
        self._write("+", reservation.number, reservation.charge, reservation.tokens)

    def settled(self, reservation: Reservation, usd: float | None, tokens: int) -> None:
        """Record what a call was charged."""
        self._write("-", reservation.number, usd or 0.0, tokens)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, what: str, number: int, usd: float, tokens: int) -> None:
        os.write(self._file, f"{what} {number} {usd!r} {tokens}\n".encode("ascii"))


def balance(path: Path) -> tuple[Spending, list[Spending]]:
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
