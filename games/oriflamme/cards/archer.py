"""The Archer (rule 20)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules
from games.oriflamme.cards.eliminating import Eliminating
from games.oriflamme.stack import Queue


class Archer(Eliminating):
    name = "Archer"
    in_short = "eliminates the first or the last card"
    task = "eliminate the first or the last card of the queue"

    def moves(self, queue: Queue, at: int, rules: CardRules) -> tuple[int, ...]:
        last = len(queue) - 1
        return (0, last) if last else (0,)

    def can_choose(self, queue: Queue, at: int, rules: CardRules) -> bool:
        return True
