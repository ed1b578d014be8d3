"""Types whose owner chooses a card to eliminate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Event
from games.oriflamme import tell
from games.oriflamme.cards.base import TYPES, Outcome, Queue
from games.oriflamme.cards.targeting import Targeting
from games.oriflamme.stack import CARD_BITS, KIND, OWNER, OWNER_AT, POINTS_AT, card_of, lifted
from games.oriflamme.words import counted, known_card

if TYPE_CHECKING:
    from games.oriflamme.options import Rules


class Eliminating(Targeting):
    """A type that eliminates the top card it is told to."""

    target_help = "the position whose top card is eliminated"

    def apply(self, queue: Queue, points: int, at: int, move: int, rules: Rules, told: list[Event] | None) -> Outcome:
        attacker, victim = queue[at], queue[move]
        seat, victim_seat = attacker >> OWNER_AT & OWNER, victim >> OWNER_AT & OWNER
        points += 1 << POINTS_AT * seat  # rule 18
        left = lifted(queue, move)
        if told is not None:
            tell.eliminated(told, card_of(attacker), card_of(victim), move, move == at)
        if move == at:
            return left, points, at  # rule 14
        if move < at and not victim >> CARD_BITS:
            at -= 1
        due, attacker_leaves = TYPES[victim & KIND].when_eliminated(seat == victim_seat, rules)
        points += due << POINTS_AT * victim_seat
        if told is not None and (due or attacker_leaves):
            tell.ambushed(told, card_of(attacker), card_of(victim), due, attacker_leaves)
        if attacker_leaves or not self.is_character:
            if told is not None and not attacker_leaves:
                tell.discarded(told, card_of(attacker))
            return lifted(left, at), points, at  # rule 14
        return left, points, at + 1

    def effect(self, queue: Queue, at: int, target: int, rules: Rules) -> str:
        attacker, victim = card_of(queue[at]), card_of(queue[target])
        words = f"eliminates {'itself' if target == at else known_card(victim, attacker.owner)}: you get 1 point"
        if victim.tokens:
            words += f", the {counted(victim.tokens, 'token')} on it are lost"
        if target == at:
            return words
        if attacker.owner == victim.owner:
            due, leaves = TYPES[victim.kind].when_eliminated(True, rules)
            words += f" and {counted(due, 'point')} more, your card leaves too" if leaves else ""
            return f"{words}; you lose a card of your own"
        if not victim.revealed:
            words += "; should it be an Ambush, its owner gets 4 points and your card leaves too"
        return words
