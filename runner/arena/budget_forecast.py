"""What matches took so far, and whether a budget is likely to do for more of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from runner.arena.schedule import Fixture, kind_of
from runner.llm.budget import Budget

Took = tuple[float, int]
"""USD and tokens."""


@dataclass
class Takings:
    """The most that a seat of each agent took in a match that was played to its end, by kind of match."""

    ended: int = 0
    dearest: dict[tuple[str, str], Took] = field(default_factory=dict)

    def learn(self, fixture: Fixture, result: dict[str, Any]) -> None:
        """Note what the seats of a match took that has ended; bots alone take nothing."""
        if not fixture.needs_client:
            return
        self.ended += 1
        for entrant, seat in zip(fixture.seats, result["seats"], strict=True):
            name, before = (kind_of(fixture), entrant.name), self.dearest.get((kind_of(fixture), entrant.name), (0.0, 0))
            tokens = seat["prompt_tokens"] + seat["completion_tokens"]
            self.dearest[name] = max(before[0], seat["cost"] or 0.0), max(before[1], tokens)

    def fit(self, budget: Budget, fixtures: Iterable[Fixture]) -> bool:
        """Whether what is left is likely to do for all of these matches, as if none of them had begun.

        Each seat counts as the dearest of its agent, or of all where the agent is new; the fewer matches have ended, the more
        is added, and before the first nothing is likely.
        """
        if not budget.is_limited:
            return True
        if not self.ended:
            return False
        more = 1 + 1 / self.ended
        seats = [self._seat(fixture, entrant.name) for fixture in fixtures for entrant in fixture.seats]
        usd, tokens = sum(seat[0] for seat in seats) * more, sum(seat[1] for seat in seats) * more
        fits_usd = budget.usd is None or budget.spent_usd + usd <= budget.usd
        return fits_usd and (budget.tokens is None or budget.spent_tokens + tokens <= budget.tokens)

    def _seat(self, fixture: Fixture, agent: str) -> Took:
        known = self.dearest.get((kind_of(fixture), agent))
        if known is not None:
            return known
        return max(usd for usd, _ in self.dearest.values()), max(tokens for _, tokens in self.dearest.values())
