"""The Heir (rule 23)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules, CardType
from games.oriflamme.stack import KIND, REVEALED, Queue

_NAME = KIND | REVEALED


class Heir(CardType):
    name = "Heir"
    in_short = "2 points if no other Heir is revealed"

    def gain(self, queue: Queue, at: int, rules: CardRules) -> int:
        # The name is that of the card which performs: a Shapeshifter looks out for Shapeshifters (rule 25).
        name = queue[at] & _NAME
        alike = 0
        for stack in queue:
            if stack & _NAME == name:
                alike += 1
        return 2 if alike == 1 else 0
