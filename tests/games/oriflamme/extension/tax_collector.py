"""The Tax Collector, a twelfth type of card, an intrigue that brings points without a choice."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules, CardType
from games.oriflamme.stack import Queue


class TaxCollector(CardType):
    name = "Tax Collector"
    text = "brings 1 point for every three positions of the queue."
    is_character = False

    def gain(self, queue: Queue, at: int, rules: CardRules) -> int:
        return len(queue) // 3
