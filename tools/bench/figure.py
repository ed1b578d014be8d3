"""A figure that was measured, beside what it may be."""

from __future__ import annotations

from dataclasses import dataclass

RATIO = "×"
"""The unit of ratios within one run."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, the value, and the least or the most it may be; neither where nothing was promised.

    `is_gain`: more is better, for a figure without a budget. One with a least value is a gain anyway.
    """

    what: str
    value: float
    unit: str = RATIO
    least: float | None = None
    most: float | None = None
    note: str = ""
    is_gain: bool = False

    @property
    def is_better_high(self) -> bool:
        """Whether more is better."""
        return self.is_gain or self.least is not None

    @property
    def is_kept(self) -> bool:
        """Whether the value is within its budget."""
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def budget(self) -> str:
        """The budget in words."""
        if self.least is not None:
            return f"≥ {self.least:,g} {self.unit}"
        return "" if self.most is None else f"≤ {self.most:,g} {self.unit}"
