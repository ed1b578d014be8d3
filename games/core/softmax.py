"""Softmax policies: a move is drawn with a probability in proportion to its worth, the exponential of its weighted features."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import exp, prod
from typing import Any, NamedTuple

from games.core import decks
from games.core.rng import Rng

Features = Mapping[Hashable, float]
"""What speaks for a move: features by name, each with its value."""

Weights = Mapping[Hashable, float]
"""The weight of each feature; one that is missing weighs nothing."""

Menu = Sequence[tuple[Any, Features | None]]
"""The moves that a seat considers, each with its features; None for a move that cannot be made."""

Asking = Callable[[Any, int], Hashable]
Listing = Callable[[Any], Menu]


class Joint(tuple[Hashable, ...]):
    """Keys of menus of the same moves, whose features count together."""


_LARGEST = 60.0
"""The most that the weighted features of a move may sum up to, so that exponentials stay finite."""

_MOST_MENUS = 1 << 15
"""How many menus a policy keeps."""


def stored_weights(name: str) -> Weights:
    """The weights in a deck: for the first word of a feature's name a list of rows, each the rest of the name and the
    weight."""
    return {(word, *row[:-1]): row[-1] for word, rows in decks.load(name).items() for row in rows}


class Further(NamedTuple):
    """A move that is still to be completed: `ask` makes the key of another menu, from which the rest is drawn."""

    name: str
    ask: Asking


class Softmax:
    """A policy in which all that a decision depends on is a key, or some keys together.

    `ask` makes the key from a position and a seat, `menu` the menu of a key. What moves are worth is kept by key, so that a
    decision costs a look-up where keys are few.
    """

    def __init__(self, ask: Asking, menu: Listing, weights: Weights) -> None:
        self.ask = ask
        self.menu = menu
        self.weights = weights
        self.draws = _Draws(self)

    def choose(self, position: Any, seat: int, rng: Rng) -> Any:
        """A move, the likelier the more it is worth."""
        key = self.ask(position, seat)
        if key.__class__ is Joint:
            moves, sums = self.draw(key)
        else:
            moves, _, sums = self.draws[key]
        number = len(sums)
        if number == 2:
            move = moves[rng.next() >= sums[0]]
        else:
            move = moves[bisect(sums, rng.next(), 0, number - 1)] if number > 1 else moves[0]
        if move.__class__ is Further:
            moves, sums = self.draw(move.ask(position, seat))
            return moves[bisect(sums, rng.next(), 0, len(sums) - 1)] if len(sums) > 1 else moves[0]
        return move

    def draw(self, key: Hashable) -> tuple[Sequence[Any], Sequence[float]]:
        """The moves of a key, and what they are worth added up, as a part of 2 ** 64."""
        draws = self.draws
        if key.__class__ is not Joint:
            moves, _, sums = draws[key]
            return moves, sums
        assert isinstance(key, Joint)
        found = [draws[part] for part in key]
        return found[0][0], _parts([*map(prod, zip(*[worths for _, worths, _ in found], strict=True))])

    def chances(self, position: Any, seat: int) -> Iterator[tuple[Any, float]]:
        """The moves that the policy may make, each with its probability."""
        for move, chance in self._chances(self.ask(position, seat)):
            if chance and isinstance(move, Further):
                yield from ((whole, chance * part) for whole, part in self._chances(move.ask(position, seat)))
            elif chance:
                yield move, chance

    def _chances(self, key: Hashable) -> Iterator[tuple[Any, float]]:
        return zip(self.draw(key)[0], self.parts(key), strict=True)

    def parts(self, key: Hashable) -> list[float]:
        """The probability of each move of a key."""
        sums = self.draw(key)[1]
        return [(total - before) / sums[-1] for before, total in zip((0.0, *sums), sums, strict=False)]

    def weighted(self, weights: Weights) -> Softmax:
        """The same policy with other weights."""
        return Softmax(self.ask, self.menu, weights)


Draw = tuple[Sequence[Any], Sequence[float], Sequence[float]]
"""The moves of a menu, their worths, and these added up, as a part of 2 ** 64: what a random word is compared with."""


def _parts(worths: Sequence[float]) -> list[float]:
    unit = 2.0**64 / sum(worths)
    return [*accumulate([worth * unit for worth in worths])]


class _Draws(dict[Hashable, Draw]):
    """What is drawn from by key, made when it is first asked for. Beyond the limit all are forgotten."""

    def __init__(self, policy: Softmax) -> None:
        super().__init__()
        self._menu, self._weights = policy.menu, policy.weights

    def __missing__(self, key: Hashable) -> Draw:
        if len(self) >= _MOST_MENUS:
            self.clear()
        moves, features = zip(*self._menu(key), strict=True)
        worths = [0.0 if one is None else self._worth(one) for one in features]
        self[key] = found = moves, worths, _parts(worths)
        return found

    def _worth(self, features: Features) -> float:
        total = sum(self._weights.get(name, 0.0) * value for name, value in features.items())
        return exp(max(-_LARGEST, min(_LARGEST, total)))
