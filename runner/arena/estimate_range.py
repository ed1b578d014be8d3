"""A figure that is not known exactly: the least it may be, what is likely, the most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """The least, the likely and the most of something."""

    low: float
    likely: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Span:
        """The span of what was seen."""
        return cls(min(values), sum(values) / len(values), max(values))

    def with_each(self, combined: Callable[..., float], *others: Span) -> Span:
        """What comes of this and others, least with least, likely with likely, most with most."""
        spans = (self, *others)
        return Span(*(combined(*ends) for ends in zip(*((s.low, s.likely, s.high) for s in spans), strict=True)))

    def to_json(self) -> list[float]:
        """Least, likely and most."""
        return [round(value, 6) for value in (self.low, self.likely, self.high)]


NOTHING = Span(0, 0, 0)
