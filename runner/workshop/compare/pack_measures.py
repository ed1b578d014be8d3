"""Pack measures: for each measure one figure per deal, from the results of the deal's matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from runner.match.records import ResultRecord
from runner.workshop.compare.comparison_plan import A, B, Comparison, Deal, deals
from runner.workshop.compare.paired_statistics import Difference, difference


@dataclass(slots=True)
class Side:
    """The totals of the seats of one side, in the matches of one deal or of all deals."""

    seats: int = 0
    wins: float = 0.0
    points: int = 0
    questions: int = 0
    invalid: int = 0
    penalties: int = 0
    tokens: int = 0
    cost: float = 0.0

    def add(self, result: ResultRecord, seat: int) -> None:
        """Add a seat of a finished match. A shared win counts in parts."""
        tally = result["seats"][seat]
        self.seats += 1
        self.wins += (seat in result["winners"]) / len(result["winners"])
        self.points += result["scores"][seat]
        self.questions += tally["decisions"] - tally["forced"] + tally["penalties"]
        self.invalid += tally["mistakes"]
        self.penalties += tally["penalties"]
        self.tokens += tally["prompt_tokens"] + tally["completion_tokens"]
        self.cost += tally["cost"]

    def a_seat(self, name: str) -> float:
        """A count per seat."""
        return float(getattr(self, name)) / max(1, self.seats)

    def a_decision(self, name: str) -> float:
        """A count per decision that was asked for."""
        return float(getattr(self, name)) / max(1, self.questions)


Measure = Callable[[Side], float]

MEASURES: dict[str, tuple[str, Measure]] = {
    "wins": ("share of wins per seat", lambda side: side.a_seat("wins")),
    "points": ("points per seat", lambda side: side.a_seat("points")),
    "invalid": ("invalid answers per decision", lambda side: side.a_decision("invalid")),
    "penalties": ("penalties per decision", lambda side: side.a_decision("penalties")),
    "tokens": ("tokens per decision", lambda side: side.a_decision("tokens")),
    "cost": ("USD per decision", lambda side: side.a_decision("cost")),
}


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a comparison: each side's totals over all complete deals, and the difference A minus B of each measure."""

    deals: int
    sides: Mapping[str, Side]
    differences: Mapping[str, Difference]

    def to_json(self) -> dict[str, object]:
        """The half as data."""
        found = {
            name: {A: value(self.sides[A]), B: value(self.sides[B]), "difference": self.differences[name].to_json()}
            for name, (_, value) in MEASURES.items()
        }
        return {"deals": self.deals, "measures": found}


def half_of(comparison: Comparison, half: str, results: Mapping[str, ResultRecord]) -> Half:
    """A half from the results so far; deals with a missing match are left out."""
    total = {A: Side(), B: Side()}
    figures: dict[str, list[float]] = {name: [] for name in MEASURES}
    whole = 0
    for deal in deals(comparison):
        found = [results[fixture.name] for fixture in deal.fixtures if fixture.name in results]
        if deal.half != half or len(found) < len(deal.fixtures):
            continue
        whole += 1
        sides = _sides(deal, found)
        for name, (_, value) in MEASURES.items():
            figures[name].append(value(sides[A]) - value(sides[B]))
        _add(total, deal, found)
    return Half(whole, total, {name: difference(values) for name, values in figures.items()})


def _sides(deal: Deal, found: Sequence[ResultRecord]) -> dict[str, Side]:
    sides = {A: Side(), B: Side()}
    _add(sides, deal, found)
    return sides


def _add(sides: Mapping[str, Side], deal: Deal, found: Sequence[ResultRecord]) -> None:
    for placed, result in zip(deal.sides, found, strict=True):
        for seat, side in enumerate(placed):
            if side in sides:
                sides[side].add(result, seat)
