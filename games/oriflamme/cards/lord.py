"""The Lord (rule 24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.oriflamme.cards.base import CardType, Queue
from games.oriflamme.places import neighbours
from games.oriflamme.stack import OWNER, OWNER_AT, height

if TYPE_CHECKING:
    from games.oriflamme.options import Rules

_FAMILY = OWNER << OWNER_AT


class Lord(CardType):
    name = "Lord"
    in_short = "1 point, and 1 for each neighbour of yours"

    def gain(self, queue: Queue, at: int, rules: Rules) -> int:
        family = queue[at] & _FAMILY
        gained = 1
        for index in neighbours(queue, at):
            if queue[index] & _FAMILY == family:
                gained += height(queue[index]) if rules.lord_counts_covered else 1
        return gained
