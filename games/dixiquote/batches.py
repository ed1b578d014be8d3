"""Batches of cards: which shuffle of the deck a card came from, as everybody can work it out from the rounds played.

Batch 0 is the first deck. With `deck_end=reshuffle` each new deck is another batch: the cards played since the one before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from games.dixiquote.options import HAND
from games.dixiquote.position import Position, Round


class Batches(NamedTuple):
    """`batch_of` has the batch of each card, `held` the number of cards of each batch in each hand, `played` the discards."""

    batch_of: tuple[int, ...]
    held: tuple[Counter[int], ...]
    played: tuple[int, ...]


def batches(position: Position) -> Batches:
    """The batches after the rounds in the history."""
    size = len(position.options.deck)
    if position.options.deck_end != "reshuffle":
        return Batches((0,) * size, tuple(Counter({0: len(hand)}) for hand in position.hands), ())
    count = _Counting(position.setup.players, size)
    for done in position.history:
        count.play(done, drawing_order(position, done.storyteller))
    return Batches(tuple(count.batch_of), tuple(count.held), tuple(count.played))


def drawing_order(position: Position, storyteller: int) -> Iterable[int]:
    """The seats in the order in which they draw after a round of this Storyteller (D-C9)."""
    players = position.setup.players
    first = (storyteller + 1) % players if position.options.refill_from == "new_storyteller" else 0
    return (*range(first, players), *range(first))


class _Counting:
    """The cards of a match by batch, round after round."""

    def __init__(self, players: int, size: int) -> None:
        self.batch_of = [0] * size
        self.held = [Counter({0: HAND}) for _ in range(players)]
        self.played: list[int] = []
        self._left = size - HAND * players
        self._batch = 0

    def play(self, done: Round, order: Iterable[int]) -> None:
        """Take the cards of a round out of the hands, and fill the hands again."""
        for card, owner, _ in done.cards:
            self.held[owner][self.batch_of[card]] -= 1
            self.played.append(card)
        owners = {played.owner for played in done.cards}
        for seat in order:
            if seat in owners:
                self._draw(seat)

    def _draw(self, seat: int) -> None:
        if not self._left:
            self._reshuffle()
        self._left -= 1
        self.held[seat][self._batch] += 1

    def _reshuffle(self) -> None:
        self._batch += 1
        for card in self.played:
            self.batch_of[card] = self._batch
        self._left, self.played = len(self.played), []
