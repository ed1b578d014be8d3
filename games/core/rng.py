"""Seeded chance that is a value: a 64-bit word goes in, numbers and the next word come out."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


class Rng:
    """SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).

    A transition makes one from the word its state carries, draws from it, and stores `word` in the next state.
    The same word gives the same draws in every process and on every platform.
    """

    __slots__ = ("word",)

    def __init__(self, word: int) -> None:
        self.word = word

    @classmethod
    def of(cls, *keys: object) -> Rng:
        """A stream of its own for the keys, which are compared by their `repr` (ints, strings, tuples of them)."""
        return cls(int.from_bytes(blake2b(repr(keys).encode(), digest_size=8).digest(), "big"))

    def next(self) -> int:
        """The next 64 bits."""
        self.word = word = (self.word + _GAMMA) & _MASK
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return word ^ (word >> 31)

    def below(self, bound: int) -> int:
        """A number in range(bound), every one equally likely (rejection of the uneven tail). ValueError below 1."""
        if bound < 1:
            raise ValueError(f"cannot draw below {bound}")
        limit = (1 << 64) - (1 << 64) % bound
        while (word := self.next()) >= limit:
            pass
        return word % bound

    def choice(self, items: Sequence[T]) -> T:
        """One of the items. ValueError when there are none."""
        return items[self.below(len(items))]

    def weighted(self, sums: Sequence[int]) -> int:
        """An index, drawn by weights of any size. `sums` are the weights added up; the last one is above 0.

        The chances are exact but for one part in 2 ** 64.
        """
        number, bits = self.next(), 64
        while bits < sums[-1].bit_length() + 64:
            number, bits = number << 64 | self.next(), bits + 64
        return bisect(sums, number * sums[-1] >> bits)

    def random(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return (self.next() >> 11) * 2.0**-53

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order (Fisher and Yates)."""
        deck, word = list(items), self.word
        for bound in range(len(deck), 1, -1):
            limit, drawn = (1 << 64) - (1 << 64) % bound, 1 << 64
            while drawn >= limit:  # `below(bound)`, in line: half of the time of worlds is shuffling
                word = (word + _GAMMA) & _MASK
                mixed = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
                mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
                drawn = mixed ^ (mixed >> 31)
            other = drawn % bound
            deck[bound - 1], deck[other] = deck[other], deck[bound - 1]
        self.word = word
        return tuple(deck)


def replaced(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with another one at an index."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)
