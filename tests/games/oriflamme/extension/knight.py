"""The Knight, an eleventh type of card, whose owner chooses."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules
from games.oriflamme.cards.eliminating import Eliminating
from games.oriflamme.stack import Queue


class Knight(Eliminating):
    name = "Knight"
    text = "eliminates a card two positions away, if there is one."
    task = "eliminate a card two positions away"

    def moves(self, queue: Queue, at: int, rules: CardRules) -> list[int]:
        return [target for target in (at - 2, at + 2) if 0 <= target < len(queue)]
