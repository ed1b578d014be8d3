"""What a comparison found, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.core import counted
from runner.prompting.pack import PromptPack
from runner.workshop.compare.comparison_plan import NULL, REAL, A, B, Comparison
from runner.workshop.compare.pack_measures import MEASURES, Half, half_of
from runner.workshop.compare.paired_statistics import ERROR_RATE, FEWEST, Difference

_MATCHES_A_DEAL = 2
_MOST_SAID = 10_000_000


@dataclass(frozen=True, slots=True)
class Report:
    """A comparison with its two halves, judged by one measure that was chosen beforehand."""

    comparison: Comparison
    measure: str
    real: Half
    null: Half

    @property
    def names(self) -> tuple[str, str]:
        """The names of the packs."""
        a, b = (PromptPack(folder).name for folder in self.comparison.folders)
        return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")

    @property
    def main(self) -> Difference:
        """The difference that the verdict is about."""
        return self.real.differences[self.measure]

    def further_matches(self) -> int | None:
        """Matches still to be played to show what was seen, if it is there, four times out of five; None: cannot be said."""
        needed = self.main.deals_to_show()
        return None if needed is None else max(0, needed - self.main.deals) * _MATCHES_A_DEAL

    def to_json(self) -> dict[str, Any]:
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
        """The sentence that the comparison comes to."""
        a, b = self.names
        what, main = MEASURES[self.measure][0], self.main
        if main.low is None:
            return f"No difference shown: {main.deals} whole deals are too few, {FEWEST} are the least."
        if main.is_shown:
            more, less = (a, b) if main.mean > 0 else (b, a)
            return f"A difference is shown: {more} has more than {less} ({what}): {_signed(main)}, A minus B."
        return f"No difference shown ({what}): {_signed(main)}, A minus B. {self._settling()}"

    def _settling(self) -> str:
        further = self.further_matches()
        if further is None:
            return "How many matches would settle it cannot be said, as none was seen."
        if not further:
            return "As many matches as these show a difference as large as the one seen four times out of five."
        count = f"more than {_MOST_SAID:,}" if further > _MOST_SAID else f"about {further:,}"
        return f"If it is as large as the one seen, {count} further matches would settle it, four times out of five."

    def lines(self) -> Iterator[str]:
        """The report, line by line."""
        comparison, (a, b) = self.comparison, self.names
        against = f" against {comparison.opponents}" if comparison.opponents else " at one table"
        yield f"A: {a}   B: {b}   with {comparison.model},{against}, {comparison.players} players, seeds from {comparison.seed}"
        deals = counted(self.real.deals, "deal")
        yield f"{deals} of {_MATCHES_A_DEAL} matches; {self.null.deals} of A against itself for the noise."
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
            yield f"Take care: A differs from itself, which happens in {ERROR_RATE:.0%} of comparisons by chance alone."


def _signed(found: Difference) -> str:
    interval = "" if found.low is None or found.high is None else f" ({found.low:+.4g} to {found.high:+.4g})"
    return f"{found.mean:+.4g}{interval}"


def report_of(comparison: Comparison, measure: str, results: Mapping[str, dict[str, Any]]) -> Report:
    """What a comparison found so far."""
    return Report(comparison, measure, half_of(comparison, REAL, results), half_of(comparison, NULL, results))
