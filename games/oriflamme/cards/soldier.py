"""The Soldier (rule 21)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.oriflamme.cards.base import Queue
from games.oriflamme.cards.eliminating import Eliminating
from games.oriflamme.places import neighbours

if TYPE_CHECKING:
    from games.oriflamme.options import Rules


class Soldier(Eliminating):
    name = "Soldier"
    in_short = "eliminates a neighbouring card"
    task = "eliminate one of the neighbouring cards"

    def moves(self, queue: Queue, at: int, rules: Rules) -> tuple[int, ...]:
        return neighbours(queue, at)

    def can_choose(self, queue: Queue, at: int, rules: Rules) -> bool:
        return len(queue) > 1
