"""Comparison report: the findings of a comparison as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.core import counted
from runner.match.records import ResultRecord
from runner.workshop.compare.comparison_plan import NULL, REAL, A, B, Comparison
from runner.workshop.compare.pack_measures import MEASURES, Half, half_of
from runner.workshop.compare.paired_statistics import ERROR_RATE, FEWEST, Difference

_MATCHES_A_DEAL = 2
_MOST_SAID = 10_000_000


@dataclass(frozen=True, slots=True)
class Report:
    """A comparison with its two halves and the measure of the verdict, chosen in advance."""

    comparison: Comparison
    measure: str
    real: Half
    null: Half

    @property
    def names(self) -> tuple[str, str]:
        """The names of both sides."""
        return self.comparison.names

    @property
    def main(self) -> Difference:
        """The difference in the measure of the verdict."""
        return self.real.differences[self.measure]

    def further_matches(self) -> int | None:
        """Further matches that show the observed difference, if it is real, with a power of 0.8; None: unknown."""
        needed = self.main.deals_to_show()
        return None if needed is None else max(0, needed - self.main.deals) * _MATCHES_A_DEAL

    def to_json(self) -> dict[str, object]:
        """The report as data."""
        return {
            "comparison": self.comparison.to_json(),
            "measure": self.measure,
            "shown": self.main.is_shown,
            "verdict": self.verdict(),
            "further_matches": self.further_matches(),
            "error_rate": ERROR_RATE,
            "packs": self.real.to_json(),
            "null": self.null.to_json(),
        }

    def verdict(self) -> str:
        """The conclusion in one sentence."""
        a, b = self.names
        what, main = MEASURES[self.measure][0], self.main
        if main.low is None:
            return f"No difference shown: {main.deals} complete deals are too few; at least {FEWEST} are needed."
        if main.is_shown:
            more, less = (a, b) if main.mean > 0 else (b, a)
            return f"A difference is shown: {more} has more than {less} ({what}): {_signed(main)}, A minus B."
        return f"No difference shown ({what}): {_signed(main)}, A minus B. {self._further()}"

    def _further(self) -> str:
        further = self.further_matches()
        if further is None:
            return "The number of further matches is unknown, because no difference was observed."
        if not further:
            return "This many matches show a difference of the observed size in four out of five comparisons."
        count = f"more than {_MOST_SAID:,}" if further > _MOST_SAID else f"about {further:,}"
        return f"If the difference is as large as observed, {count} further matches show it in four out of five comparisons."

    def lines(self) -> Iterator[str]:
        """The lines of the report."""
        comparison, (a, b) = self.comparison, self.names
        against = f" against {comparison.opponents}" if comparison.opponents else " at one table"
        yield f"A: {a}   B: {b}   with {comparison.model},{against}, {comparison.players} players, seed {comparison.seed}"
        deals = counted(self.real.deals, "deal")
        yield f"{deals} of {_MATCHES_A_DEAL} matches; {self.null.deals} of A against itself to measure the noise."
        yield ""
        yield f"{'':<34}{'A':>10}{'B':>10}   A - B, 95 % interval"
        for name, (words, value) in MEASURES.items():
            left, right = value(self.real.sides[A]), value(self.real.sides[B])
            mark = "*" if name == self.measure else " "
            yield f"{mark} {words:<32}{left:>10.4g}{right:>10.4g}   {_signed(self.real.differences[name])}"
        noise = self.null.differences[self.measure]
        yield f"  {'noise: A against A, same measure':<32}{'':>20}   {_signed(noise)}"
        yield ""
        yield self.verdict()
        if noise.is_shown:
            yield f"Warning: A differs from itself, which happens in {ERROR_RATE:.0%} of comparisons by chance alone."


def _signed(found: Difference) -> str:
    interval = "" if found.low is None or found.high is None else f" ({found.low:+.4g} to {found.high:+.4g})"
    return f"{found.mean:+.4g}{interval}"


def report_of(comparison: Comparison, measure: str, results: Mapping[str, ResultRecord]) -> Report:
    """The report of the results so far."""
    return Report(comparison, measure, half_of(comparison, REAL, results), half_of(comparison, NULL, results))
