"""The Lord (rule 24)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules, CardType
from games.oriflamme.stack import FAMILY, Queue, cards_of, neighbours


class Lord(CardType):
    name = "Lord"
    in_short = "1 point, and 1 for each neighbour of its family"

    def gain(self, queue: Queue, at: int, rules: CardRules) -> int:
        family = queue[at] & FAMILY
        gained = 1
        for index in neighbours(queue, at):
            if queue[index] & FAMILY == family:
                gained += len(cards_of(queue[index])) if rules.lord_counts_covered else 1
        return gained
