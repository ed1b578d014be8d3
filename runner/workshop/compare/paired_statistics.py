"""Paired statistics: the mean of one figure per deal, with an interval that is exact for any number of deals.

The matches of a deal stay together. When both sides are equal, the figure of a deal has either sign with equal probability.
Then the mean of a random subset of the deals (a coin toss for each) is above or below the true difference with equal
probability. So the interval between the 2.5 % quantiles of such means excludes a true difference of 0 in at most 5 % of
comparisons, for any distribution of the figures (J. A. Hartigan, Using Subsample Values as Typical Values, JASA 64, 1969).
It excludes 0 exactly when the sign-flip test rejects at 5 %.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from statistics import fmean, stdev

from runner.standings.distributions import NORMAL

ERROR_RATE = 0.05
POWER = 0.8
FEWEST = 6
"""With fewer deals there is no interval at this error rate."""

_ALL_UP_TO = 12
_DRAWS = 4000


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference over deals, its interval (None: too few deals), and the standard deviation per deal."""

    deals: int
    mean: float
    low: float | None
    high: float | None
    spread: float

    @property
    def is_shown(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def deals_to_show(self, size: float | None = None) -> int | None:
        """Deals that show a difference of this size (default: the observed one) with a power of 0.8; None: unknown."""
        size = abs(self.mean if size is None else size)
        if not size or not self.spread:
            return None
        quantiles = NORMAL.inv_cdf(1 - ERROR_RATE / 2) + NORMAL.inv_cdf(POWER)
        return max(FEWEST, math.ceil((quantiles * self.spread / size) ** 2))

    def to_json(self) -> dict[str, object]:
        """The difference as data."""
        interval = None if self.low is None else [self.low, self.high]
        return {"deals": self.deals, "mean": self.mean, "interval": interval, "spread": self.spread, "shown": self.is_shown}


def difference(values: Sequence[float], seed: int = 0) -> Difference:
    """The mean of the deals' figures, with its interval."""
    mean = fmean(values) if values else 0.0
    spread = stdev(values) if len(values) > 1 else 0.0
    if len(values) < FEWEST:
        return Difference(len(values), mean, None, None, spread)
    means = sorted(_subset_means(values, seed))
    cut = math.floor(ERROR_RATE / 2 * (len(means) + 1))
    return Difference(len(values), mean, means[cut - 1], means[-cut], spread)


def _subset_means(values: Sequence[float], seed: int) -> Iterator[float]:
    """The means of all subsets of the deals, or of a sample of subsets when there are many."""
    if len(values) <= _ALL_UP_TO:
        masks: Iterator[int] = iter(range(1, 1 << len(values)))
    else:
        rng = random.Random(seed)
        masks = (rng.getrandbits(len(values)) for _ in range(_DRAWS))
    for mask in masks:
        chosen = list(compress(values, (mask >> place & 1 for place in range(len(values)))))
        if chosen:
            yield math.fsum(chosen) / len(chosen)
