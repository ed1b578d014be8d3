"""Choice places: how often a model takes the choice that it was shown first, last, or that is shortest."""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

from runner.match.records import AttemptRecord

KINDS = ("first", "last", "shortest")


class Places(NamedTuple):
    """The `field` of a valid answer whose values were shown in the drawn order `shown`, and the value that was taken."""

    field: str
    shown: list[object]
    taken: object

    @property
    def shortest(self) -> list[object]:
        least = min(len(str(value)) for value in self.shown)
        return [value for value in self.shown if len(str(value)) == least]

    @classmethod
    def of(cls, attempt: AttemptRecord) -> Self | None:
        """Those of an attempt: of the first field with several values alone, as the others depend on it. None without any."""
        if attempt["outcome"] != "answer" or not (order := attempt.get("order")):
            return None
        name, shown = next(iter(order.items()))
        read = attempt.get("read_as", attempt["answer"])
        taken = read.get(name) if isinstance(read, dict) else None
        return cls(name, shown, taken) if taken in shown else None


@dataclass
class PlaceCounts:
    """For each kind of place the answers in a drawn order, those that took it, and how many would by chance."""

    sums: dict[str, list[float]] = field(default_factory=dict)

    def add(self, attempt: AttemptRecord) -> None:
        if (found := Places.of(attempt)) is None:
            return
        for kind, values in zip(KINDS, (found.shown[:1], found.shown[-1:], found.shortest), strict=True):
            own = self.sums.setdefault(kind, [0.0, 0.0, 0.0])
            own[:] = own[0] + 1, own[1] + (found.taken in values), own[2] + len(values) / len(found.shown)
