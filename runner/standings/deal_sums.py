"""Deal sums: terms added up deal by deal, and the figures of their sums with errors over deals."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from operator import add
from typing import Generic, NamedTuple, Self, TypeVar

from runner.standings import figures
from runner.standings.document_types import FigureData

Deal = tuple[str, str]
"""The kind of match and the name of the deal."""

MOST_BLOCKS = 250
"""More deals than this are grouped at random into this many blocks, which changes intervals by less than one percent."""


class DealBlocks(NamedTuple):
    """Deals in blocks, of which no kind of match has more than its share of `MOST_BLOCKS`. `weights` turn the square of what
    changes without a block into a part of the variance. `free` is the degrees of freedom: the blocks less one for each kind."""

    blocks: list[list[Deal]]
    weights: list[float]
    free: int

    @classmethod
    def of(cls, deals: Iterable[Deal]) -> Self:
        kinds: dict[str, list[Deal]] = {}
        for deal in sorted(deals):
            kinds.setdefault(deal[0], []).append(deal)
        most = max(2, MOST_BLOCKS // max(1, len(kinds)))
        groups = [_grouped(found, most) for found in kinds.values()]
        weights = [(len(group) - 1) / len(group) for group in groups for _ in group]
        return cls([block for group in groups for block in group], weights, len(weights) - len(kinds))

    @property
    def has_errors(self) -> bool:
        return self.free >= figures.FEWEST_FREE


def _grouped(deals: list[Deal], most: int) -> list[list[Deal]]:
    if len(deals) > most:
        random.Random(0).shuffle(deals)
    number = min(len(deals), most)
    return [deals[place::number] for place in range(number)]


def summed(rows: Iterable[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def effective_free(parts: Sequence[float], most: int) -> int:
    """Degrees of freedom for a figure whose data are spread over blocks like this: the number of equally large blocks that
    would count as much, less one (A. V. Carter, K. T. Schnepel and D. G. Steigerwald, Asymptotic Behavior of a t-Test Robust
    to Cluster Heterogeneity, Review of Economics and Statistics 99, 2017), at most `most`."""
    squares = sum(part * part for part in parts)
    return max(0, min(most, int(sum(parts) ** 2 / squares + 1e-9) - 1)) if squares else 0


class Parts(NamedTuple):
    """What each block of deals adds to the sums of some terms."""

    rows: list[list[float]]
    blocks: DealBlocks

    @property
    def sums(self) -> list[float]:
        return summed(self.rows)

    def beside(self, other: Parts) -> Parts:
        return Parts([[*own, *its] for own, its in zip(self.rows, other.rows, strict=True)], self.blocks)

    def free(self, term: int) -> int:
        """The degrees of freedom of a figure whose data are spread over deals as a term is."""
        return effective_free([row[term] for row in self.rows], self.blocks.free)

    def deals(self, term: int) -> float:
        """As many equally large deals would hold the data, by the spread of a term."""
        return (self.free(term) + 1) * sum(map(len, self.blocks.blocks)) / len(self.blocks.blocks)

    def errors(self, statistic: Callable[[list[float]], Sequence[float]]) -> list[float]:
        """The standard errors of some statistics of the sums, from their values without each block."""
        sums, squares = self.sums, list[list[float]]()
        whole = statistic(sums)
        for row, weight in zip(self.rows, self.blocks.weights, strict=True):
            rest = statistic([total - own for total, own in zip(sums, row, strict=True)])
            squares.append([weight * (one - other) ** 2 for one, other in zip(whole, rest, strict=True)])
        return [math.sqrt(square) for square in summed(squares)]

    def mean(self, above: int, below: int) -> FigureData:
        """A term for each unit of another, with Student's interval."""
        (error,) = self.errors(lambda sums: [ratio(sums, above, below)])
        return figures.student(ratio(self.sums, above, below), error, self.free(below))

    def share(self, above: int, below: int) -> FigureData:
        """The part that a term is of another, with an exact interval."""
        (error,) = self.errors(lambda sums: [ratio(sums, above, below)])
        value, number = ratio(self.sums, above, below), self.sums[below]
        return figures.share(value, error, number, self.deals(below), self.free(below))

    def difference(self, other: Parts, above: int, below: int, are_shares: bool = True) -> tuple[FigureData, float]:
        """The share less that of another on the same deals, or with Student's interval the mean less the other one; and the
        standard error."""
        width = len(self.sums)

        def both(sums: list[float]) -> list[float]:
            own, its = ratio(sums[:width], above, below), ratio(sums[width:], above, below)
            return [own, its, own - its]

        together = self.beside(other)
        (*_, value), (own, its, error) = both(together.sums), together.errors(both)
        if not are_shares:
            return figures.student(value, error, min(self.free(below), other.free(below))), error
        correlation = (own * own + its * its - error * error) / (2 * own * its) if own and its else 0.0
        most = 1 - 1 / max(1.0, min(self.deals(below), other.deals(below)))
        return figures.difference(self.share(above, below), other.share(above, below), min(correlation, most)), error


def ratio(sums: Sequence[float], above: int, below: int) -> float:
    """One sum divided by another; 0 where the latter is 0."""
    return sums[above] / sums[below] if sums[below] else 0.0


Key = TypeVar("Key")


class DealSums(Generic[Key]):
    """Sums of a number of terms for each agent, or another key, on each deal."""

    def __init__(self, terms: int) -> None:
        self._nothing = [0.0] * terms
        self._rows: dict[Deal, dict[Key, list[float]]] = {}

    def add(self, deal: Deal, key: Key, *terms: float) -> None:
        own = self._rows.setdefault(deal, {}).setdefault(key, self._nothing.copy())
        own[:] = map(add, own, terms)

    @property
    def keys(self) -> set[Key]:
        return {key for row in self._rows.values() for key in row}

    def parts(self, key: Key, blocks: DealBlocks | None = None) -> Parts:
        """What each block adds to the key's sums: of these deals, or of all that anything was added to."""
        found = blocks or self.blocks()
        rows = [summed(self._rows[deal].get(key, self._nothing) for deal in block) for block in found.blocks]
        return Parts(rows, found)

    def blocks(self) -> DealBlocks:
        return DealBlocks.of(self._rows)
