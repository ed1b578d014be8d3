"""The Soldier (rule 21)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules
from games.oriflamme.cards.eliminating import Eliminating
from games.oriflamme.stack import Queue, neighbours


class Soldier(Eliminating):
    name = "Soldier"
    in_short = "eliminates a neighbouring card"
    task = "eliminate one of the neighbouring cards"

    def moves(self, queue: Queue, at: int, rules: CardRules) -> tuple[int, ...]:
        return neighbours(queue, at)

    def can_choose(self, queue: Queue, at: int, rules: CardRules) -> bool:
        return len(queue) > 1
