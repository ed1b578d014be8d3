"""The Archer (rule 20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.oriflamme.cards.base import Queue
from games.oriflamme.cards.eliminating import Eliminating

if TYPE_CHECKING:
    from games.oriflamme.options import Rules


class Archer(Eliminating):
    name = "Archer"
    in_short = "eliminates the first or the last card"
    task = "eliminate the first or the last card of the queue"

    def moves(self, queue: Queue, at: int, rules: Rules) -> tuple[int, ...]:
        last = len(queue) - 1
        return (0, last) if last else (0,)

    def can_choose(self, queue: Queue, at: int, rules: Rules) -> bool:
        return True
