"""How sure a figure is: deals are drawn again and again from those that were played, and the figure worked out anew.

All matches on a deal stay together, since they share its luck and its players (a cluster bootstrap: A. C. Davison and
D. V. Hinkley, Bootstrap Methods and their Application, 1997, section 3.8).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.standings.count_matrix import Vector
from runner.standings.distributions import NORMAL, t_quantile

MOST_BLOCKS = 250
"""More deals than this are put together at random into so many blocks, which changes intervals by less than one percent."""

FEWEST_FREE = 4
"""With fewer blocks to spare than this an interval would say nothing."""


class Interval(NamedTuple):
    """From where to where a figure may lie, at 95 percent."""

    low: float
    high: float


class Blocks(NamedTuple):
    """The counts of each block of deals, by kind of match, from which they are drawn separately."""

    strata: tuple[tuple[Vector, ...], ...]

    @property
    def number(self) -> int:
        """How many blocks there are."""
        return sum(map(len, self.strata))

    @property
    def free(self) -> int:
        """Degrees of freedom: the blocks but for one of each kind."""
        return self.number - len(self.strata)

    @property
    def total(self) -> Vector:
        """The counts of all of them."""
        return [sum(column) for column in zip(*(vector for stratum in self.strata for vector in stratum), strict=True)]

    @property
    def inflation(self) -> float:
        """What makes up for a bootstrap's taking the blocks at hand for all there are."""
        return math.sqrt(self.number / self.free)

    def draws(self, times: int, seed: int = 0) -> Iterator[Vector]:
        """The counts of as many blocks, drawn with replacement, so many times."""
        rng = random.Random(seed)
        for _ in range(times):
            chosen = [vector for stratum in self.strata for vector in rng.choices(stratum, k=len(stratum))]
            yield [sum(column) for column in zip(*chosen, strict=True)]


def blocks_of(deals: Mapping[tuple[str, str], Vector]) -> Blocks:
    """Blocks of deals, each given by kind and name with the counts of its matches."""
    kinds: dict[str, list[Vector]] = {}
    for kind, deal in sorted(deals):
        kinds.setdefault(kind, []).append(deals[kind, deal])
    most = max(2, MOST_BLOCKS // max(1, len(kinds)))
    return Blocks(tuple(_grouped(vectors, most) for vectors in kinds.values()))


def _grouped(vectors: list[Vector], most: int) -> tuple[Vector, ...]:
    if len(vectors) > most:
        random.Random(0).shuffle(vectors)
        vectors = [[sum(column) for column in zip(*vectors[place::most], strict=True)] for place in range(most)]
    return tuple(vectors)


def interval(values: Sequence[float], blocks: Blocks) -> Interval | None:
    """The expanded percentile interval: as wide as Student's t asks for with so few blocks (T. C. Hesterberg, What
    Teachers Should Know About the Bootstrap, The American Statistician 69, 2015). None with too few of them."""
    if blocks.free < FEWEST_FREE:
        return None
    share = NORMAL.cdf(-blocks.inflation * t_quantile(0.975, blocks.free))
    ordered = sorted(values)
    return Interval(_quantile(ordered, share), _quantile(ordered, 1 - share))


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = min(max(share * (len(ordered) + 1) - 1, 0.0), len(ordered) - 1.0)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def standard_error(values: Sequence[float], blocks: Blocks) -> float:
    """The standard error that the draws of a figure tell of."""
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    return spread * (blocks.inflation if blocks.free else 1.0)
