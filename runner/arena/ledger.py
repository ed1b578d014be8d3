"""What a tournament has spent, kept beside its logs: what is set aside for calls under way is on record, too, so that a
kill in the midst of them loses no charge."""

from __future__ import annotations

import os
from pathlib import Path

from runner.arena.spending import spent_in
from runner.llm.budget import Budget, Reservation
from runner.llm.prices import Worst

_NAME = ".ledger"


class BookedBudget(Budget):
    """A budget that writes each sum down before it is set aside, and again when it is settled.

    A sum that was never settled is charged in full at the next start, since the endpoint may have billed the call:
    `cut_off` is how many there were, and their sum in USD.
    """

    def __init__(self, folder: Path, usd: float | None) -> None:
        before, self.cut_off = _balance(folder / _NAME)
        super().__init__(usd, spent_usd=max(before + self.cut_off[1], spent_in(folder)))
        fresh = folder / f"{_NAME}.new"
        fresh.write_text(f"= {self.spent_usd!r}\n", encoding="ascii")
        fresh.replace(folder / _NAME)
        self._ledger = os.open(folder / _NAME, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    async def reserve(self, worst: Worst, source: str = "") -> Reservation:
        """Set the worst case aside, and write it down."""
        reservation = await super().reserve(worst, source)
        if reservation.charge:
            self._write(f"+ {reservation.number} {reservation.charge!r}")
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Write down what the call took."""
        if reservation.is_open and (usd or reservation.charge):
            self._write(f"- {reservation.number} {usd or 0.0!r}")
        super().settle(reservation, usd, tokens, is_answer)

    def close(self) -> None:
        """Let the file go."""
        os.close(self._ledger)

    def _write(self, line: str) -> None:
        os.write(self._ledger, f"{line}\n".encode("ascii"))


def _balance(path: Path) -> tuple[float, tuple[int, float]]:
    """USD settled; how many calls were not, and what those are charged. A last line that was cut off counts for nothing."""
    settled, under_way = 0.0, dict[str, float]()
    if path.exists():
        for line in path.read_text(encoding="ascii").rpartition("\n")[0].splitlines():
            match line.split():
                case ["=", usd]:
                    settled = float(usd)
                case ["+", number, usd]:
                    under_way[number] = float(usd)
                case ["-", number, usd]:
                    under_way.pop(number, None)
                    settled += float(usd)
    return settled, (len(under_way), sum(under_way.values()))
