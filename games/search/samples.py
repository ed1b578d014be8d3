"""Samples: what playouts of one candidate brought, world by world."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from games.core import Action
from games.search.playouts import Playout, Shares


class Samples:
    """The playouts of a candidate: one in each of the first worlds, so that two candidates share the worlds both have."""

    def __init__(self, action: Action, players: int) -> None:
        self.action = action
        self.own: list[float] = []
        self._totals = [0.0] * players
        self._length = self.cut = 0

    def add(self, playout: Playout) -> None:
        """Take in the playout in the next world."""
        self.own.append(playout.shares[self.action.seat])
        self._length += playout.length
        self.cut += playout.is_cut
        for seat, share in enumerate(playout.shares):
            self._totals[seat] += share

    @property
    def mean(self) -> float:
        """The mean share of the seat that decides."""
        return self._totals[self.action.seat] / len(self.own)

    @property
    def rank(self) -> tuple[float, int]:
        """The better the lower: by the mean share; among equals, a likely win rather sooner and a likely loss rather later."""
        mean = self.mean
        return -mean, self._length if mean > 0.5 else -self._length

    @property
    def shares(self) -> Shares:
        """The mean share of every seat."""
        return tuple(total / len(self.own) for total in self._totals)


def mean_of(values: Sequence[float]) -> float:
    """The mean of a sample of at least one value."""
    return sum(values) / len(values)


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean of a sample and its standard error; 0.5 for the error of fewer than two values, the most a share can have."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.5
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, sqrt(variance / len(values))
