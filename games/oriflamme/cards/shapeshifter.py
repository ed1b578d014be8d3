"""The Shapeshifter (rule 25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import counted
from games.oriflamme.cards.base import TYPES, Queue
from games.oriflamme.cards.targeting import Targeting
from games.oriflamme.places import neighbours
from games.oriflamme.stack import KIND, REVEALED, card_of
from games.oriflamme.words import known_card

if TYPE_CHECKING:
    from games.oriflamme.options import Rules


class Shapeshifter(Targeting):
    """What it copies is performed by the walk along the queue, which knows how abilities begin."""

    name = "Shapeshifter"
    in_short = "copies a neighbour that is revealed"
    task = "copy the ability of a neighbouring revealed character"
    target_help = "the position whose top card's ability is copied"
    copies = True

    def moves(self, queue: Queue, at: int, rules: Rules) -> list[int]:
        found = []
        for index in neighbours(queue, at):
            stack = queue[index]
            if stack & REVEALED:
                model = TYPES[stack & KIND]
                if model.is_character and (rules.shifter_noop or not model.copies):
                    found.append(index)
        return found

    def effect(self, queue: Queue, at: int, target: int, rules: Rules) -> str:
        model = card_of(queue[target])
        kind, whose = TYPES[model.kind], known_card(model, card_of(queue[at]).owner)
        if kind.copies:
            return f"copies {whose}: nothing happens"
        if kind.decides:
            able = kind.can_choose(queue, at, rules)
            return f"copies {whose}: you {'then ' + kind.task if able else 'would have nothing to choose, nothing happens'}"
        gained = kind.gain(queue, at, rules)
        return f"copies {whose}: you get {counted(gained, 'point')}"
