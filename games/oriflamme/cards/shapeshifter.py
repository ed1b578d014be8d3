"""The Shapeshifter (rule 25)."""

from __future__ import annotations

from games.core import counted
from games.oriflamme.cards.base import TYPES, CardRules, known_card
from games.oriflamme.cards.choosing import ChoosingType
from games.oriflamme.cards.targeting import Targeting
from games.oriflamme.stack import KIND, REVEALED, Queue, card_of, neighbours


class Shapeshifter(Targeting):
    """The resolution of the queue performs what it copies."""

    name = "Shapeshifter"
    in_short = "copies a neighbour that is revealed"
    task = "copy the ability of a neighbouring revealed character"
    target_help = "the position whose top card's ability is copied"
    copies = True

    def moves(self, queue: Queue, at: int, rules: CardRules) -> list[int]:
        found = []
        for index in neighbours(queue, at):
            stack = queue[index]
            if stack & REVEALED:
                model = TYPES[stack & KIND]
                if model.is_character and (rules.shifter_noop or not model.copies):
                    found.append(index)
        return found

    def effect(self, queue: Queue, at: int, target: int, rules: CardRules) -> str:
        model = card_of(queue[target])
        kind, whose = TYPES[model.kind], known_card(model, card_of(queue[at]).owner)
        if kind.copies:
            return f"copies {whose}: nothing happens"
        if isinstance(kind, ChoosingType):
            if kind.can_choose(queue, at, rules):
                return f"copies {whose}: you then {kind.task}"
            return f"copies {whose}: you would have nothing to choose, nothing happens"
        gained = kind.gain(queue, at, rules)
        return f"copies {whose}: you get {counted(gained, 'point')}"
