"""Grades: names for how much of the win a decision gave away."""

from __future__ import annotations

from typing import Literal

GradeName = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced"]
FAULTS: tuple[GradeName, ...] = ("inaccuracy", "mistake", "blunder")

_BOUNDS: tuple[tuple[float, GradeName], ...] = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""From which share of the win on a decision has a name. They are those of lichess, whose scale from -1 to 1 is twice as wide:
0.1, 0.2 and 0.3 (https://github.com/lichess-org/lila, modules/tree/src/main/Advice.scala)."""

_SURE = 2.0
"""Standard errors by which a decision has to be behind the best one to be called a fault."""


def grade_of(given_up: float, error: float) -> GradeName:
    """The name of a decision that gave away a share of the win, estimated with a standard error; `forced` is not among them."""
    if given_up <= 0:
        return "best"
    if given_up < _SURE * error:
        return "good"
    return next((name for bound, name in _BOUNDS if given_up >= bound), "good")
