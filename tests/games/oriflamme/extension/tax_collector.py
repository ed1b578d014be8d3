"""The Tax Collector, a twelfth type of card, an intrigue that brings points without a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.oriflamme.cards.base import CardType, Queue

if TYPE_CHECKING:
    from games.oriflamme.options import Rules


class TaxCollector(CardType):
    name = "Tax Collector"
    text = "brings 1 point for every three positions of the queue."
    is_character = False

    def gain(self, queue: Queue, at: int, rules: Rules) -> int:
        return len(queue) // 3
