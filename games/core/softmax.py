"""Softmax policies: a move is drawn with a probability in proportion to its worth, the exponential of its weighted features."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import exp
from operator import mul
from typing import Any, NamedTuple

from games.core import decks
from games.core.policy import Choosing
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


class Among(tuple[tuple[Any, Hashable], ...]):
    """Moves, each with the key of a menu that has it alone. Its move there is not looked at."""


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
        if key.__class__ is tuple:
            moves, _, sums = self.draws[key]
            number = len(sums)
            if number == 2:  # as in every window to pass or to act
                move = moves[rng.next() >= sums[0]]
            else:
                move = moves[bisect(sums, rng.next(), 0, number - 1)] if number > 1 else moves[0]
        else:
            moves, sums = self.draw(key)
            move = moves[drawn_place(sums, rng)]
        if move.__class__ is Further:
            moves, sums = self.draw(move.ask(position, seat))
            return moves[drawn_place(sums, rng)]
        return move

    def first(
        self, position: Any, seats: Sequence[int], rng: Rng, waits: Any, others: Mapping[int, Choosing]
    ) -> tuple[int, Any]:
        """Of seats that are asked in turn until one does not wait: the one that ends it, or the last, and its move. It is drawn
        by one number, as often as the seats would come to it one by one; `others` decide otherwise. Who waits has at most one
        other move."""
        word, left = rng.next(), 1.0
        for seat in seats:
            if seat in others:
                move = others[seat](position, seat, rng)
                if move != waits:
                    return seat, move
                continue
            moves, _, sums = self.draws[self.ask(position, seat)]
            if moves[0] != waits:
                return seat, moves[0]
            if len(moves) > 1:
                left *= sums[0] * _PART
                if word * _PART >= left:
                    return seat, moves[1]
        return seat, waits

    def draw(self, key: Any) -> tuple[Sequence[Any], Sequence[float]]:
        """The moves of a key, and what they are worth added up."""
        draws = self.draws
        if key.__class__ is Joint:
            moves, worths, _ = draws[key[0]]
            product: Iterable[float] = worths
            for part in key[1:]:
                product = map(mul, product, draws[part][1])
            return moves, [*accumulate(product)]
        if key.__class__ is Among:
            return [move for move, _ in key], [*accumulate([draws[part][1][0] for _, part in key])]
        moves, _, sums = draws[key]
        return moves, sums

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


def drawn_place(sums: Sequence[float], rng: Rng) -> int:
    """A place, drawn in proportion to the worths that were added up."""
    last = len(sums) - 1
    return bisect(sums, rng.next() * (sums[last] * _PART), 0, last) if last else 0


_PART = 2.0**-64

Draw = tuple[Sequence[Any], Sequence[float], Sequence[float]]
"""The moves of a menu, their worths, and these added up, as a part of 2 ** 64: what a random word is compared with."""


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
        unit = 1 / (sum(worths) * _PART)
        self[key] = found = moves, worths, [*accumulate([worth * unit for worth in worths])]
        return found

    def _worth(self, features: Features) -> float:
        total = sum(self._weights.get(name, 0.0) * value for name, value in features.items())
        return exp(max(-_LARGEST, min(_LARGEST, total)))
