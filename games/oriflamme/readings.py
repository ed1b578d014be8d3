"""What the others did in a match of Oriflamme, as each style of play explains it: in which order they placed their cards, and
which they kept hidden.

What a rival may hold is a holding: the kinds of its hidden cards in the order of the queue, and the set that it removed; the
rest is its hand. A sample of holdings stands for all of them. How likely a style makes one follows from the placings
(`bot:steady` draws them by the weights of `steady`) and from the rounds in which hidden cards were resolved and kept.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate
from math import prod
from typing import NamedTuple

from games.core import Rng, random_policy
from games.core.policy import noisy
from games.core.reading import Reading, Style
from games.oriflamme.bots import SOFTMAX
from games.oriflamme.cards import NAMES, TYPES, kinds_of
from games.oriflamme.position import ROUNDS, P, Position
from games.oriflamme.resample import Holding, unseen
from games.oriflamme.stack import QueueCard, cards_of
from games.oriflamme.steady import MOST_TOKENS, USUAL_VALUES

_SAMPLE = 240
"""How many holdings are looked at in place of all."""

_NOISE = 0.3


STYLES: Mapping[Style, float] = {
    Style("steady", 0.6, in_shares=0.15): 0.0,
    Style("noisy", 0.25, noisy(_NOISE), in_shares=0.5): _NOISE,
    Style("random", 0.15, lambda playing: random_policy, in_shares=0.35): 1.0,
}
"""Styles of play, each with the part of its moves that it makes at random. In shares of the win more players are taken not to
be steady, as at mixed tables: what they placed and kept tells little of how well they play."""


def readings(position: Position, seat: int | None) -> Sequence[Reading]:
    """The readings of what the others placed and kept, for a seat (None: a spectator)."""
    found = []
    for other in range(position.setup.players):
        if other != seat:
            trace = _trace(position, other)
            sample = Counter(trace.holdings(Rng.of("holdings", position.round, position.pointer, other)))
            table = {holding: [times * one for one in trace.explain(holding)] for holding, times in sample.items()}
            found.append(Reading(other, [*STYLES], partial(_explain, trace, other), table))
    return found


def _explain(trace: _Trace, seat: int, world: Position) -> Sequence[float]:
    hidden = [card.kind for stack in world.queue for card in cards_of(stack) if card.owner == seat and not card.revealed]
    return trace.explain((tuple(hidden), world.removed[seat]))


def likely_worlds(position: P, seat: int | None, tables: Mapping[int, Mapping[Holding, float]]) -> Callable[[Rng], P]:
    """Worlds of a seat, each as often as the tables make what the others hold likely."""
    drawings = [(other, [*table], [*accumulate(table.values())]) for other, table in tables.items()]

    def draw(rng: Rng) -> P:
        found = {other: held[bisect(sums, rng.random() * sums[-1], 0, len(held) - 1)] for other, held, sums in drawings}
        world: P = position.resample(seat, rng, found)  # type: ignore[attr-defined]  # that of the state, not of the position
        return world

    return draw


# -- what a seat did -----------------------------------------------------------------------------------------------------


class _Trace(NamedTuple):
    """What everybody saw of a seat's cards: the unseen kinds, the hidden cards in the queue, how many cards it removed, and
    for each round so far the kind placed in it, or -1 minus the place of a hidden card."""

    unseen: tuple[int, ...]
    hidden: tuple[QueueCard, ...]
    removed: int
    placed: tuple[int, ...]

    def holdings(self, rng: Rng) -> Iterator[Holding]:
        """A sample of what the seat may hold, each equally likely."""
        number = len(self.hidden)
        for _ in range(_SAMPLE):
            kinds = rng.shuffled(self.unseen)
            yield kinds[:number], sum(1 << kind for kind in kinds[number : number + self.removed])

    def explain(self, holding: Holding) -> list[float]:
        """How likely each style finds what was placed and kept with a holding."""
        hidden, removed = holding
        hand, found = sum(1 << kind for kind in self.unseen if kind not in hidden) & ~removed, [1.0] * len(STYLES)
        for round in range(len(self.placed), 0, -1):
            place = self.placed[round - 1]
            kind = place if place >= 0 else hidden[-1 - place]
            hand |= 1 << kind
            found = [one * chance for one, chance in zip(found, _placing(hand, kind, round), strict=True)]
        for kind, card in zip(hidden, self.hidden, strict=True):
            if card.tokens:
                found = [one * chance for one, chance in zip(found, _keeping(kind, card.placed, card.tokens), strict=True)]
        return found


def _trace(position: Position, seat: int) -> _Trace:
    own = [card for stack in position.queue for card in cards_of(stack) if card.owner == seat]
    hidden = tuple([card for card in own if not card.revealed])
    gone = [*kinds_of(position.gone[seat]), *(card.kind for card in own if card.revealed and not card.placed)]
    later = [*(-1 - place for place, card in enumerate(hidden) if not card.placed)]
    rounds = {card.placed: card.kind for card in own if card.revealed and card.placed}
    rounds |= {card.placed: -1 - place for place, card in enumerate(hidden) if card.placed}
    # In which of the other rounds a card was placed that is gone, nobody remembers: as if the kinds that go early went first.
    others = iter([*sorted(gone, key=_lateness), *later])
    placed = [
        rounds[number] if number in rounds else next(others)
        for number in range(1, len(own) + position.gone[seat].bit_count() + 1)
    ]
    return _Trace(unseen(position, seat), hidden, position.removed[seat].bit_count(), tuple(placed))


# -- what the styles make likely -----------------------------------------------------------------------------------------


@cache
def _lateness(kind: int) -> float:
    """The less likely `bot:steady` is to place a kind in the first round."""
    return -_steady_placing(1 << kind | 1 << (kind + 1) % len(TYPES), 1)[kind]


@lru_cache(1 << 16)
def _placing(hand: int, kind: int, round: int) -> list[float]:
    """How likely each style is to place a kind from a hand."""
    steady, at_random = _steady_placing(hand, round)[kind], 1 / hand.bit_count()
    return [(1 - part) * steady + part * at_random for part in STYLES.values()]


@lru_cache(1 << 14)
def _steady_placing(hand: int, round: int) -> Mapping[int, float]:
    return dict(zip(kinds_of(hand), SOFTMAX.parts(("place", hand, round)), strict=True))


@cache
def _keeping(kind: int, placed: int, tokens: int) -> list[float]:
    """How likely each style is to keep a card of a kind hidden so often, from the round in which it was placed on."""
    steady = [_steady_keeping(kind, min(ROUNDS, max(1, placed) + number), number) for number in range(tokens)]
    return [prod((1 - part) * one + part / 2 for one in steady) for part in STYLES.values()]


@cache
def _steady_keeping(kind: int, round: int, tokens: int) -> float:
    """How likely `bot:steady` is to keep a card, over what its ability mostly brings."""
    found = []
    for value in USUAL_VALUES.get(NAMES[kind], (0,)):
        found.append(SOFTMAX.parts(("resolve", kind, round, min(MOST_TOKENS, tokens), value))[0])
    return sum(found) / len(found)
