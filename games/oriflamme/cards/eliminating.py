"""Types whose owner chooses a card to eliminate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Event, counted
from games.oriflamme import tell
from games.oriflamme.cards.base import TYPES, Outcome, Queue
from games.oriflamme.cards.targeting import Targeting
from games.oriflamme.stack import CARD, CARD_BITS, KIND, OWNER, OWNER_AT, POINTS_AT, card_of, lifted
from games.oriflamme.words import known_card

if TYPE_CHECKING:
    from games.oriflamme.options import Rules

_FAMILY = OWNER << OWNER_AT


class Eliminating(Targeting):
    """A type that eliminates the top card it is told to."""

    target_help = "the position whose top card is eliminated"

    def apply(self, queue: Queue, points: int, at: int, move: int, rules: Rules, told: list[Event] | None) -> Outcome:
        attacker, victim = queue[at], queue[move]
        points += 1 << POINTS_AT * (attacker >> OWNER_AT & OWNER)  # rule 18
        if told is not None:
            tell.eliminated(told, card_of(attacker), card_of(victim), move, move == at)
        stacks = [*queue]
        if victim > CARD:
            stacks[move] = victim >> CARD_BITS
        else:
            del stacks[move]
            at -= move < at
        if attacker == victim:
            return tuple(stacks), points, at  # rule 14
        leaves = False
        victim_type = TYPES[victim & KIND]
        if victim_type.springs:
            due, leaves = victim_type.when_eliminated(not (attacker ^ victim) & _FAMILY, rules)
            points += due << POINTS_AT * (victim >> OWNER_AT & OWNER)
            if told is not None and leaves:
                tell.ambushed(told, card_of(attacker), card_of(victim), due)
        if leaves or not self.is_character:
            if told is not None and not leaves:
                tell.discarded(told, card_of(attacker))
            return lifted(stacks, at), points, at  # rule 14
        return tuple(stacks), points, at + 1

    def effect(self, queue: Queue, at: int, target: int, rules: Rules) -> str:
        attacker, victim = card_of(queue[at]), card_of(queue[target])
        words = f"eliminates {'itself' if target == at else known_card(victim, attacker.owner)}: you get 1 point"
        if victim.tokens:
            words += f", the {counted(victim.tokens, 'token')} on it are lost"
        if target == at:
            return words
        if attacker.owner == victim.owner:
            if TYPES[victim.kind].springs:
                due, leaves = TYPES[victim.kind].when_eliminated(True, rules)
                words += f" and {counted(due, 'point')} more, your card leaves too" if leaves else ""
            return f"{words}; you lose a card of your own"
        if not victim.revealed:
            words += "; should it be an Ambush, its owner gets 4 points and your card leaves too"
        return words
