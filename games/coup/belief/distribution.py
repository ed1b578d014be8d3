"""Distributions of the unseen cards over hands and deck, and what evidence makes of one.

A distribution says which kinds are known to be at each place and how many cards there are unknown. The kinds of the unknown
cards are the pool; every arrangement of the pool over the unknown cards is equally likely. A distribution is one integer:
for each place two bits a kind and four bits for the number of unknown cards, and behind the places the kinds of the pool.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement
from math import factorial, prod

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
