"""What a tournament has spent, kept beside its logs: what is set aside for calls under way is on record, too, so that a
kill in the midst of them loses no charge."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from runner.arena.costs import spent_in
from runner.llm.budget import Budget, Reservation
from runner.llm.prices import WorstCase

_NAME = ".ledger"


class BookedBudget(Budget):
    """A budget that writes each sum down before it is set aside, and again when it is settled.

    A sum that was never settled is charged in full at the next start, since the endpoint may have billed the call:
    `cut_off` is how many there were, and their sum in USD.
    """

    def __init__(self, folder: Path, usd: float | None, tokens: int | None = None) -> None:
        booked, under_way = _balance(folder / _NAME)
        self.cut_off = len(under_way), sum(lost.usd for lost in under_way)
        logged_usd, logged_tokens = spent_in(folder)
        spent_usd = max(booked.usd + self.cut_off[1], logged_usd)
        spent_tokens = max(booked.tokens + sum(lost.tokens for lost in under_way), logged_tokens)
        super().__init__(usd, tokens, spent_usd, spent_tokens)
        fresh = folder / f"{_NAME}.new"
        fresh.write_text(f"= 0 {spent_usd!r} {spent_tokens}\n", encoding="ascii")
        fresh.replace(folder / _NAME)
        self._ledger = os.open(folder / _NAME, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Set the worst case aside, and write it down."""
        reservation = await super().reserve(worst, source)
        if reservation.tokens:
            self._write("+", reservation.number, reservation.charge, reservation.tokens)
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Write down what the call took."""
        if reservation.is_open and (usd or tokens or reservation.tokens):
            self._write("-", reservation.number, usd or 0.0, tokens)
        super().settle(reservation, usd, tokens, is_answer)

    def close(self) -> None:
        """Let the file go."""
        os.close(self._ledger)

    def _write(self, what: str, number: int, usd: float, tokens: int) -> None:
        os.write(self._ledger, f"{what} {number} {usd!r} {tokens}\n".encode("ascii"))


class _Sum(NamedTuple):
    usd: float
    tokens: int


def _balance(path: Path) -> tuple[_Sum, list[_Sum]]:
    """What is settled, and what each call was to be charged that is not. A last line that was cut off counts for nothing."""
    settled, under_way = _Sum(0.0, 0), dict[str, _Sum]()
    if path.exists():
        for line in path.read_text(encoding="ascii").rpartition("\n")[0].splitlines():
            what, number, usd, tokens = line.split()
            booked = _Sum(float(usd), int(tokens))
            if what == "+":
                under_way[number] = booked
            else:
                under_way.pop(number, None)
                settled = _Sum(settled.usd + booked.usd, settled.tokens + booked.tokens)
    return settled, list(under_way.values())
