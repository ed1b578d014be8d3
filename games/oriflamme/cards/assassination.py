"""The Assassination (rule 28)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules
from games.oriflamme.cards.eliminating import Eliminating
from games.oriflamme.stack import Queue


class Assassination(Eliminating):
    name = "Assassination"
    in_short = "eliminates any card"
    task = "eliminate a card anywhere in the queue"
    is_character = False

    def moves(self, queue: Queue, at: int, rules: CardRules) -> list[int]:
        targets = [*range(len(queue))]
        if not rules.assassination_self:
            del targets[at]
        return targets

    def can_choose(self, queue: Queue, at: int, rules: CardRules) -> bool:
        return len(queue) > 1 or rules.assassination_self
