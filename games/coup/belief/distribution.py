"""Distributions of the unseen cards over hands and deck, and what evidence makes of one.

A distribution says which kinds are known to be at each place and how many cards there are unknown. The kinds of the unknown
cards are the pool; every arrangement of the pool over the unknown cards is equally likely. A distribution is one integer:
for each place two bits a kind and four bits for the number of unknown cards, and behind the places the kinds of the pool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, prod
from typing import NamedTuple

from games.core import Rng
from games.coup.belief.evidence import LACK, LOOK, MOVE, PICK, PUT, SETTLE, SHOW, TAKE, Evidence, Start
from games.coup.cards import CHARACTERS

KINDS = tuple(range(len(CHARACTERS)))
UNKNOWN = len(CHARACTERS)

_WIDTH = 14
_FEW, _MANY = 0b11, 0b1111
_KNOWN = (1 << 2 * UNKNOWN) - 1

_FIELDS = tuple((kind, _MANY if kind == UNKNOWN else _FEW, 1 << 2 * kind) for kind in (*KINDS, UNKNOWN))

Kinds = tuple[int, ...]
Option = tuple[int, int, Kinds]
"""One way for evidence to come about: its multiplicity, the distribution after it, and the kinds that it settles.

They are the kind of the card that moves or is seen (UNKNOWN if it was unknown), or the kinds of the place's unknown cards.
"""


def distribution_of(start: Start) -> int:
    """The distribution of the deal, in which nothing is known."""
    unknown = sum(size * _unit(place, UNKNOWN) for place, size in enumerate(start.sizes))
    return unknown + sum(number * _unit(len(start.sizes), kind) for kind, number in enumerate(start.kinds))


@cache
def _unit(place: int, kind: int) -> int:
    return 1 << _WIDTH * place + 2 * kind


def number_of(distribution: int, place: int, kind: int) -> int:
    """How many cards of a kind are known at a place, of UNKNOWN how many are unknown."""
    return distribution >> _WIDTH * place + 2 * kind & (_MANY if kind == UNKNOWN else _FEW)


def size_of(distribution: int, place: int) -> int:
    """How many cards there are at a place."""
    return sum(number_of(distribution, place, kind) for kind in (*KINDS, UNKNOWN))


def kinds_at(distribution: int, place: int) -> Kinds:
    """The known kinds of a place, or of the pool."""
    return _kinds_of(distribution >> _WIDTH * place & _KNOWN)


@lru_cache(maxsize=1 << 14)
def unknown_before(distribution: int, places: int) -> Kinds:
    """For each place, and behind the last one, how many unknown cards there are at the places before it."""
    return (0, *accumulate(number_of(distribution, place, UNKNOWN) for place in range(places)))


@cache
def _kinds_of(known: int) -> Kinds:
    return tuple(kind for kind in KINDS for _ in range(known >> 2 * kind & _FEW))


@cache
def arrangements(kinds: Kinds) -> int:
    """How many different orders some kinds have."""
    return factorial(len(kinds)) // prod(factorial(kinds.count(kind)) for kind in set(kinds))


def options(distribution: int, evidence: Evidence, pool: int) -> Iterator[Option]:
    """The ways in which evidence can come about. `pool` is the place of the pool."""
    what, place, detail = evidence
    if what == MOVE:
        return _moves(distribution, place, detail)
    if what == TAKE:
        return _takes(distribution, place, detail, pool)
    if what == PUT:
        return iter([(1, distribution + _unit(place, detail), ())])
    if what == PICK:
        return ((1, distribution + _unit(place, kind), (kind,)) for kind in KINDS)
    if what == LACK:
        return _lacks(distribution, place, detail, pool)
    if what == LOOK:
        return iter([(1, distribution, ())])
    if what == SETTLE:
        return _settlements(distribution, place, pool)
    shown = _unit(place, detail) if what == SHOW else 0
    return ((ways, new - shown, settled) for ways, new, settled in _with_kind(distribution, place, detail, pool))


def _moves(distribution: int, place: int, target: int) -> Iterator[Option]:
    cards = distribution >> _WIDTH * place
    for kind, mask, unit in _FIELDS:
        if ways := cards >> 2 * kind & mask:
            yield ways, distribution - (unit << _WIDTH * place) + (unit << _WIDTH * target), (kind,)


def _takes(distribution: int, place: int, kind: int, pool: int) -> Iterator[Option]:
    if ways := number_of(distribution, place, kind):
        yield ways, distribution - _unit(place, kind), (kind,)
    ways = number_of(distribution, place, UNKNOWN)
    if ways and number_of(distribution, pool, kind):
        yield ways, distribution - _unit(place, UNKNOWN) - _unit(pool, kind), (UNKNOWN,)


def _lacks(distribution: int, place: int, kind: int, pool: int) -> Iterator[Option]:
    if not number_of(distribution, place, kind):
        for option in _settlements(distribution, place, pool):
            if kind not in option[2]:
                yield option


def _with_kind(distribution: int, place: int, kind: int, pool: int) -> Iterator[Option]:
    if number_of(distribution, place, kind):
        yield 1, distribution, ()
    else:
        for option in _settlements(distribution, place, pool):
            if kind in option[2]:
                yield option


def _settlements(distribution: int, place: int, pool: int) -> Iterator[Option]:
    """The ways to settle the kinds of all unknown cards at a place."""
    unknown = number_of(distribution, place, UNKNOWN)
    before = distribution - unknown * _unit(place, UNKNOWN)
    for ways, settled, units in _fillings(distribution >> _WIDTH * pool & _KNOWN, unknown):
        yield ways, before + (units << _WIDTH * place) - (units << _WIDTH * pool), settled


@cache
def _fillings(pool: int, unknown: int) -> tuple[tuple[int, Kinds, int], ...]:
    """The kinds that some unknown cards can have: how many orders they have, the kinds, and the bits that count them."""
    left = _kinds_of(pool)
    found = [left] if unknown == len(left) else combinations_with_replacement(KINDS, unknown)
    return tuple(
        (arrangements(kinds), kinds, sum(_unit(0, kind) for kind in kinds))
        for kinds in found
        if all(kinds.count(kind) <= left.count(kind) for kind in kinds)
    )


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


@lru_cache(maxsize=1000)  # a match of six players needs about 300, each of which can take over a megabyte
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
