"""Choice places: how often a model takes the choice that it was shown first, last, or that is shortest."""

from __future__ import annotations

from dataclasses import dataclass, field

from runner.match.records import AttemptRecord

KINDS = ("first", "last", "shortest")


@dataclass
class PlaceCounts:
    """Sums over the valid answers to questions whose choices were in a drawn order: for each kind of place the answers, those
    that took it, and how many would by chance. Only the first field with several values counts, as the others depend on it."""

    sums: dict[str, list[float]] = field(default_factory=dict)

    def add(self, attempt: AttemptRecord) -> None:
        """Count an attempt."""
        if attempt["outcome"] != "answer" or not (order := attempt.get("order")):
            return
        name, shown = next(iter(order.items()))
        read = attempt.get("read_as", attempt["answer"])
        taken = read.get(name) if isinstance(read, dict) else None
        if taken not in shown:
            return
        least = min(len(str(value)) for value in shown)
        shortest = [value for value in shown if len(str(value)) == least]
        for kind, values in zip(KINDS, (shown[:1], shown[-1:], shortest), strict=True):
            own = self.sums.setdefault(kind, [0.0, 0.0, 0.0])
            own[:] = own[0] + 1, own[1] + (taken in values), own[2] + len(values) / len(shown)
