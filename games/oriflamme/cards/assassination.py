"""The Assassination (rule 28)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.oriflamme.cards.base import Queue
from games.oriflamme.cards.eliminating import Eliminating

if TYPE_CHECKING:
    from games.oriflamme.options import Rules


class Assassination(Eliminating):
    name = "Assassination"
    in_short = "eliminates any card"
    task = "eliminate a card anywhere in the queue"
    is_character = False

    def moves(self, queue: Queue, at: int, rules: Rules) -> list[int]:
        targets = [*range(len(queue))]
        if not rules.assassination_self:
            del targets[at]
        return targets

    def can_choose(self, queue: Queue, at: int, rules: Rules) -> bool:
        return len(queue) > 1 or rules.assassination_self
