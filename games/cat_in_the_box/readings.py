"""What a player bid and declared in a match of Cat in the Box, as each style of play explains it.

It says how the player plays on. Of the cards that it hides it says too little to draw worlds by, and a search that adapted to
such styles did not win more: 3±3 % less of 1,800 matches at tables of `bot:steady`, 1±3 % less at mixed ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import exp, prod
from typing import NamedTuple

from games.cat_in_the_box.actions import with_playable
from games.cat_in_the_box.board import ALL_CELLS, WIDTH, cells, neutral_cells
from games.cat_in_the_box.bots import best_bids, worths_of_plays
from games.cat_in_the_box.cards import cards_of, hand_of
from games.cat_in_the_box.options import match_rules
from games.cat_in_the_box.phases import PLAY
from games.cat_in_the_box.position import Context, Position
from games.cat_in_the_box.transitions import apply
from games.core import Setup
from games.core.policy import noisy
from games.core.reading import Reading, Style

_PARTS = {"steady": (0.2, 0.1), "noisy": (0.35, 0.35), "random": (0.25, 1.0)}

STYLES: Mapping[Style, float] = {
    **{Style(name, prior, noisy(part)): part for name, (prior, part) in _PARTS.items()},
    Style("skilled", 0.2): 0.4,
}
"""Styles of play, each with the part of its moves that it makes at random; of a skilled player, such as `bot:search`, that of
its bids. Nobody plays exactly as `bot:steady` does, whose plays are hardly ever drawn: shares that took it for granted would be
too sure."""

_TEMPERATURE, _SLIPS = 1.2, 0.1
"""A skilled player's plays: a softmax of what `bot:steady` finds them worth, and the part made at random."""

_UNSEEN = hand_of([0, 0])
"""The cards left in a hand when a round has finished (rules 14 and 15): a rank that no cell has stands for them. With two of
them nobody seems to have come to the last card before the round was over."""

Seats = tuple[int, ...]
Likelihoods = tuple[float, ...]
"""How likely each style makes something."""


def readings(position: Position, seat: int | None) -> Sequence[Reading]:
    """The readings of what the others bid and declared, for a seat (None: a spectator)."""
    others = tuple([other for other in position.rules.seats if other != seat])
    finished = [_explained(one, others) for one in _finished_rounds(position)]
    explain = {other: partial(_explain, other, others, finished) for other in others}
    return [Reading(other, [*STYLES], explain[other], {}, for_choices=False) for other in others]


def _explain(seat: int, others: Seats, finished: Sequence[Sequence[Likelihoods]], world: Position) -> Sequence[float]:
    now = _Round(world.setup, world.round, world.context.revealed, world.bids, world.plays, world.tokens, world.hands)
    return _product([one[seat] for one in (*finished, _explained(now, others))])


def _product(found: Sequence[Likelihoods]) -> Likelihoods:
    return tuple([prod(one) for one in zip(*found, strict=True)]) or (1.0,) * len(STYLES)


class _Round(NamedTuple):
    """What a round shows of its players: bids, plays, the cells of each, and the cards that each has left."""

    setup: Setup
    number: int
    revealed: tuple[int, ...]
    bids: tuple[int, ...]
    plays: tuple[int, ...]
    tokens: tuple[int, ...]
    hands: tuple[int, ...]

    def first_play(self) -> Position:
        """The position in which its first card is played."""
        rules, zeros = match_rules(self.setup.players, self.setup.options), (0,) * self.setup.players
        leader = (self.number - 1) % rules.players  # rules 8 and 18
        context = Context(rules, self.number, 0, 0, self.revealed, (), None, ())
        played = [[cell % WIDTH for cell in cells(owned)] for owned in self.tokens]
        hands = tuple([_with(hand, ranks) for hand, ranks in zip(self.hands, played, strict=True)])
        free = rules.board & ~neutral_cells(self.revealed)
        start = (None, self.setup, context, PLAY, rules.alone[leader], hands, zeros, self.bids, zeros)
        return with_playable(Position(*start, (ALL_CELLS,) * rules.players, free, (), leader, 0, zeros, 0))

    def each_play(self) -> Iterator[tuple[Position, int]]:
        """The positions in which its cards were played, each with the cell."""
        position = self.first_play()
        for place, cell in enumerate(self.plays):
            if place:
                position = apply(position, position.pending[0], self.plays[place - 1], None)
            yield position, cell


def _finished_rounds(position: Position) -> Iterator[_Round]:
    for number, one in enumerate(position.context.results, 1):
        left = tuple([one.shown if seat == one.paradox else _UNSEEN for seat in position.rules.seats])
        yield _Round(position.setup, number, one.revealed, one.bids, one.plays, one.tokens, left)


def _with(hand: int, ranks: Sequence[int]) -> int:
    return hand_of([*cards_of(hand), *ranks]) | hand & _UNSEEN


@lru_cache(1 << 10)
def _explained(one: _Round, others: Seats) -> Sequence[Likelihoods]:
    """For each seat how likely the styles make its bid and its plays; those of other seats than `others` say nothing."""
    found: list[list[Likelihoods]] = [[] for _ in one.bids]
    first = one.first_play()
    for seat in others:
        if bid := one.bids[seat]:
            best = best_bids(first, seat)
            found[seat].append(_chances((bid in best) / len(best), len(first.rules.bids)))
    for position, cell in one.each_play():
        seat = position.pending[0]
        if seat in others and len(cells(position.playable)) > 1:
            plays, worths = worths_of_plays(position, seat)
            found[seat].append(_chances_of_play(worths, plays.index(cell)))
    return [_product(each) for each in found]


def _chances(steady: float, legal: int) -> Likelihoods:
    """How likely each style is to choose a move that `bot:steady` draws with the chance `steady`, among `legal` ones."""
    return tuple([(1 - part) * steady + part / legal for part in STYLES.values()])


def _chances_of_play(worths: Sequence[float], place: int) -> Likelihoods:
    """How likely each style is to choose the play at a place, by what `bot:steady` finds the plays worth."""
    best, legal = max(worths), len(worths)
    drawn = [exp((worth - best) / _TEMPERATURE) for worth in worths]
    skilled = (1 - _SLIPS) * drawn[place] / sum(drawn) + _SLIPS / legal
    return *_chances((worths[place] == best) / worths.count(best), legal)[:-1], skilled
