"""Pooled budget: the budget of one match that also takes out of the budget of all matches of a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from runner.llm.budget import Budget, Reservation
from runner.llm.prices import WorstCase
from runner.record.call_journal import Spending
from runner.record.match_budget import MatchBudget


class PooledBudget(MatchBudget):
    """Reserves each call's maximum in the pool first, then in the match's own budget of `usd` and `tokens`, if it has one."""

    def __init__(self, log: Path, bounds: Mapping[str, float], spent: Spending, pool: Budget) -> None:
        tokens = bounds.get("tokens")
        super().__init__(log, bounds.get("usd"), None if tokens is None else int(tokens), spent)
        self._pool = pool
        self._pooled: dict[int, Reservation] = {}

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call. BudgetSpent when either budget is spent."""
        pooled = await self._pool.reserve(worst, source)
        try:
            reservation = await super().reserve(worst, source)
        except BaseException:
            self._pool.settle(pooled, None, 0, is_answer=False)
            raise
        self._pooled[reservation.number] = pooled
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Charge what the call cost to both budgets."""
        if (pooled := self._pooled.pop(reservation.number, None)) is not None:
            self._pool.settle(pooled, usd, tokens, is_answer)
        super().settle(reservation, usd, tokens, is_answer)
