"""Standards: how many standard errors the difference of a pair has to be from zero to be established.

Intervals of pairs reach as far, so that an interval leaves out zero where its difference is established. The permitted error is
shared among all pairs (O. J. Dunn, Multiple Comparisons Among Means, JASA 56, 1961).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from runner.standings.distributions import NORMAL, t_quantile, t_tail

ESTABLISHED = 0.05
"""The probability that a tournament of equal agents establishes any difference."""

_TUNED_FOR = 50
"""The number of deals at which sequential intervals are narrowest."""

_FIRST_LOOK = 10
"""Deals before which sequential intervals establish nothing."""


@dataclass(frozen=True, slots=True)
class Standard:
    """The standard for this many pairs, on a number of deals that is fixed before they are played."""

    pairs: int

    @property
    def error(self) -> float:
        """The permitted error of one pair."""
        return ESTABLISHED / self.pairs

    def reach(self, free: int, deals: int) -> float:
        """How many standard errors an interval reaches."""
        return t_quantile(1 - self.error / 2, free)

    def chance(self, studentised: float, free: int, deals: int) -> float:
        """The probability that any pair of equal agents shows a difference of as many standard errors."""
        return min(1.0, 2 * self.pairs * t_tail(studentised, free))


@dataclass(frozen=True, slots=True)
class SequentialStandard(Standard):
    """The standard that holds at all numbers of deals together: a tournament can stop once a difference is established.

    An asymptotic confidence sequence by a normal mixture (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas,
    Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2024), widened as Student's
    distribution is wider than the normal one.
    """

    def reach(self, free: int, deals: int) -> float:
        """How many standard errors an interval reaches; without bound before the tenth deal."""
        if deals < _FIRST_LOOK:
            return math.inf
        grown = self._grown(deals)
        return self._wider(free) * math.sqrt(grown / (grown - 1) * (math.log(grown) - 2 * math.log(self.error)))

    def chance(self, studentised: float, free: int, deals: int) -> float:
        """The probability that any pair of equal agents ever shows such a difference."""
        if deals < _FIRST_LOOK:
            return 1.0
        grown = self._grown(deals)
        mixed = (math.log(grown) - (studentised / self._wider(free)) ** 2 * (grown - 1) / grown) / 2
        return min(1.0, self.pairs * math.exp(min(0.0, mixed)))

    def _grown(self, deals: int) -> float:
        """One more than the deals, in units of the variance of the mixture."""
        narrow = -2 * math.log(self.error)
        return 1 + deals * (narrow + math.log(narrow + 1)) / _TUNED_FOR

    def _wider(self, free: int) -> float:
        return t_quantile(1 - self.error / 2, free) / NORMAL.inv_cdf(1 - self.error / 2)
