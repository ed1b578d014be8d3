"""Beliefs: how likely each distribution of the unseen cards is, given the evidence. They are counted exactly.

The weight of a distribution is the number of ways in which chance leads to it, for one arrangement of its pool. Beliefs are
kept for the evidence seen last, so that a match costs one step for each new piece of evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import accumulate
from math import comb, prod
from typing import NamedTuple

from games.core import Rng
from games.coup.belief.distribution import (
    KINDS,
    Kinds,
    arrangements,
    distribution_of,
    kinds_at,
    options,
    size_of,
)
from games.coup.belief.evidence import SETTLE, Evidence, Start

LIMIT = 4000
"""The most distributions of a belief. Beyond it a belief is a sample of them."""

_NO_LIMIT = 1 << 60
_SCALE = 1 << 64


class BeliefStep(NamedTuple):
    """A piece of evidence and the kinds that it settles in a world."""

    evidence: Evidence
    settled: Kinds


Link = tuple[int, int, Kinds]
"""A distribution before the evidence, the weight that comes from it, and the kinds that the evidence settles."""


class Belief:
    """The possible distributions after the evidence, each with its weight and the links to those before."""

    def __init__(self, pool: int, limit: int, weights: dict[int, int]) -> None:
        self.pool = pool
        self.limit = limit
        self.weights = weights
        self.before: Belief | None = None
        self.evidence = Evidence(SETTLE, pool)
        self.links: dict[int, list[Link]] = {}

    @cached_property
    def distributions(self) -> tuple[int, ...]:
        return tuple(self.weights)

    @cached_property
    def masses(self) -> tuple[tuple[int, float], ...]:
        """Each distribution with its weight, that of all arrangements."""
        return tuple((distribution, float(self.mass(distribution))) for distribution in self.weights)

    @cached_property
    def sums(self) -> tuple[int, ...]:
        """The weights of all arrangements, added up."""
        return tuple(accumulate(self.mass(distribution) for distribution in self.weights))

    def mass(self, distribution: int) -> int:
        """The weight of a distribution with all arrangements of its pool."""
        return self.weights[distribution] * arrangements(kinds_at(distribution, self.pool))

    def drawn(self, rng: Rng) -> int:
        """A distribution, drawn by weight."""
        return self.distributions[rng.weighted(self.sums)]

    def path(self, distribution: int, rng: Rng) -> list[BeliefStep]:
        """A history that ends with a distribution, drawn by weight: the steps since the deal."""
        steps: list[BeliefStep] = []
        belief = self
        while belief.before is not None:
            links = belief.links[distribution]
            chosen = rng.weighted(tuple(accumulate(weight for _, weight, _ in links))) if len(links) > 1 else 0
            distribution, _, settled = links[chosen]
            steps.append(BeliefStep(belief.evidence, settled))
            belief = belief.before
        return steps[::-1]


@lru_cache(maxsize=64)
def _initial(start: Start, limit: int) -> Belief:
    return Belief(len(start.sizes), limit, {distribution_of(start): 1})


def believed(start: Start, found: Iterable[Evidence]) -> Belief:
    """The belief after the evidence."""
    found = tuple(found)
    belief = _after_all(start, found, LIMIT)
    return belief if belief.weights else _after_all(start, found, _NO_LIMIT)


def _after_all(start: Start, found: Iterable[Evidence], limit: int) -> Belief:
    belief = _initial(start, limit)
    for evidence in found:
        belief = _after(belief, evidence)
    return belief


@lru_cache(maxsize=3000)
def _after(before: Belief, evidence: Evidence) -> Belief:
    belief = _updated(before, evidence)
    if len(belief.weights) > _most_hands(belief) < belief.limit:
        for place in range(belief.pool):
            belief = _updated(belief, Evidence(SETTLE, place))
    return _thinned(belief) if len(belief.weights) > belief.limit else belief


def _updated(before: Belief, evidence: Evidence) -> Belief:
    belief = Belief(before.pool, before.limit, {})
    belief.before, belief.evidence = before, evidence
    weights, links = belief.weights, belief.links
    for old, weight in before.weights.items():
        for ways, new, settled in options(old, evidence, before.pool):
            share = weight * ways
            if new in weights:
                weights[new] += share
                links[new].append((old, share, settled))
            else:
                weights[new] = share
                links[new] = [(old, share, settled)]
    return belief


def _most_hands(belief: Belief) -> int:
    """How many distributions there are at most with all cards known: the hands determine the deck."""
    distribution = next(iter(belief.weights), 0)
    most = len(KINDS) - 1
    return prod(comb(size_of(distribution, place) + most, most) for place in range(belief.pool - 1))


def _thinned(belief: Belief) -> Belief:
    """A sample of the distributions, each with the share that it is expected to have."""
    rng = Rng.of("coup", "belief", len(belief.weights))
    drawn = Counter(rng.weighted(belief.sums) for _ in range(belief.limit))
    distributions = tuple(belief.weights)
    sample = Belief(belief.pool, belief.limit, {})
    sample.before, sample.evidence, sample.links = belief.before, belief.evidence, belief.links
    for index, times in drawn.items():
        distribution = distributions[index]
        sample.weights[distribution] = times * _SCALE // arrangements(kinds_at(distribution, belief.pool))
    return sample
