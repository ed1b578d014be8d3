"""Budget forecast: whether the rest of a budget is likely to pay for more matches, by what finished matches cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from runner.arena.schedule import Fixture, kind_of
from runner.llm.budget import Budget
from runner.match.records import ResultRecord
from runner.record.call_journal import Spending

_NOTHING = Spending(0.0, 0)


@dataclass
class BudgetForecast:
    """The highest cost of a seat of each agent in a finished match, by kind of match."""

    ended: int = 0
    highest: dict[tuple[str, str], Spending] = field(default_factory=dict)

    def learn(self, fixture: Fixture, result: ResultRecord) -> None:
        """Take in the costs of a finished match; one between bots costs nothing."""
        if not fixture.needs_client:
            return
        self.ended += 1
        for entrant, seat in zip(fixture.seats, result["seats"], strict=True):
            key = kind_of(fixture), entrant.name
            before, tokens = self.highest.get(key, _NOTHING), seat["prompt_tokens"] + seat["completion_tokens"]
            self.highest[key] = Spending(max(before.usd, seat["cost"]), max(before.tokens, tokens))

    def fits(self, budget: Budget, fixtures: Iterable[Fixture]) -> bool:
        """Whether the rest of the budget is likely to pay for all of these matches from their start.

        Each seat counts at the highest cost of its agent, or of all agents where the agent is new. The margin shrinks as more
        matches end; before the first one ends nothing fits.
        """
        if not budget.is_limited:
            return True
        if not self.ended:
            return False
        margin = 1 + 1 / self.ended
        seats = [self._seat(fixture, entrant.name) for fixture in fixtures for entrant in fixture.seats]
        usd, tokens = sum(seat.usd for seat in seats) * margin, sum(seat.tokens for seat in seats) * margin
        fits_usd = budget.usd is None or budget.spent_usd + usd <= budget.usd
        return fits_usd and (budget.tokens is None or budget.spent_tokens + tokens <= budget.tokens)

    def _seat(self, fixture: Fixture, agent: str) -> Spending:
        known = self.highest.get((kind_of(fixture), agent))
        if known is not None:
            return known
        return Spending(max(one.usd for one in self.highest.values()), max(one.tokens for one in self.highest.values()))
