"""Deal sample: the counts of each block of deals, for figures whose errors come from how the blocks differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from runner.standings.deal_blocks import FEWEST_FREE, deal_blocks, free_of
from runner.standings.deal_counts import Counts, DealCounts, Totals
from runner.standings.figures import Figure, effective_free, figure, ratio_error, share


class DealSample(NamedTuple):
    """The blocks with their weights in a jackknife's variance, their sum, and the degrees of freedom that they leave."""

    parts: tuple[DealCounts, ...]
    weights: tuple[float, ...]
    whole: DealCounts
    free: int

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """The blocks of all deals."""
        blocks = deal_blocks(counts.deals)
        parts = tuple(DealCounts.summed(counts.deals[deal] for deal in block.deals) for block in blocks)
        return cls(parts, tuple(block.weight for block in blocks), DealCounts.summed(parts), free_of(blocks))

    @property
    def has_errors(self) -> bool:
        """Whether there are deals enough for errors."""
        return self.free >= FEWEST_FREE

    def of_agent(self, number: int) -> list[Totals]:
        """The totals of an agent in each block."""
        return [part.agents.get(number, Totals()) for part in self.parts]

    def of_seat(self, kind: str, seat: int) -> list[Totals]:
        """The totals of a seat in each block."""
        return [part.seats.get((kind, seat), Totals()) for part in self.parts]

    def free_of(self, totals: Sequence[Totals]) -> int:
        """Degrees of freedom of a figure from these totals."""
        return effective_free([one.matches for one in totals], self.free)

    def win_share(self, totals: Sequence[Totals]) -> Figure:
        """Wins per match."""
        value, error = self._ratio([one.wins for one in totals], [one.matches for one in totals])
        return share(value, error, self.free_of(totals))

    def mean_score(self, totals: Sequence[Totals]) -> Figure:
        """Score per match."""
        return figure(*self._ratio([one.score for one in totals], [one.matches for one in totals]), self.free_of(totals))

    def _ratio(self, above: Sequence[float], below: Sequence[float]) -> tuple[float, float]:
        number = sum(below)
        return (sum(above) / number, ratio_error(above, below, self.weights)) if number else (0.0, 0.0)
