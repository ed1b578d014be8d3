"""Cluster bootstrap: the interval of a figure, from samples of the deals that were played.

All matches on a deal stay together, since they share its luck and its players (A. C. Davison and D. V. Hinkley, Bootstrap
Methods and their Application, 1997, section 3.8).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.standings.count_matrix import Deal, Vector
from runner.standings.distributions import NORMAL, t_quantile

MOST_BLOCKS = 250
"""More deals than this are grouped at random into this many blocks, which changes intervals by less than one percent."""

FEWEST_FREE = 4
"""With fewer degrees of freedom there is no interval."""


class Interval(NamedTuple):
    """The bounds of a figure at 95 percent."""

    low: float
    high: float


class Blocks(NamedTuple):
    """The counts of each block of deals; each kind of match is a stratum of its own."""

    strata: tuple[tuple[Vector, ...], ...]

    @property
    def number(self) -> int:
        """The number of blocks."""
        return sum(map(len, self.strata))

    @property
    def free(self) -> int:
        """Degrees of freedom: the blocks less one for each kind."""
        return self.number - len(self.strata)

    @property
    def total(self) -> Vector:
        """The counts of all blocks."""
        return [sum(column) for column in zip(*(vector for stratum in self.strata for vector in stratum), strict=True)]

    @property
    def inflation(self) -> float:
        """The factor that corrects the bootstrap's variance for the degrees of freedom."""
        return math.sqrt(self.number / self.free)

    def draws(self, times: int, seed: int = 0) -> Iterator[Vector]:
        """The counts of `times` samples of the blocks, drawn with replacement."""
        rng = random.Random(seed)
        for _ in range(times):
            chosen = [vector for stratum in self.strata for vector in rng.choices(stratum, k=len(stratum))]
            yield [sum(column) for column in zip(*chosen, strict=True)]


def blocks_of(deals: Mapping[Deal, Vector]) -> Blocks:
    """The blocks of the deals of a count matrix."""
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
    """The expanded percentile interval, as wide as Student's t requires (T. C. Hesterberg, What Teachers Should Know About
    the Bootstrap, The American Statistician 69, 2015). None with too few blocks."""
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
    """The standard error of a figure from its samples."""
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    return spread * (blocks.inflation if blocks.free else 1.0)
