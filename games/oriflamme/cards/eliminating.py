"""Types whose owner chooses a card to eliminate."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import WHOSE, Event, Sentence, Who, counted, does
from games.oriflamme.cards.base import TYPES, CardRules, discarded, known_card, public_card
from games.oriflamme.cards.choosing import Outcome, next_under
from games.oriflamme.cards.targeting import Targeting
from games.oriflamme.stack import (
    CARD,
    CARD_BITS,
    FAMILY,
    KIND,
    OWNER,
    OWNER_AT,
    POINTS_AT,
    Queue,
    QueueCard,
    card_of,
    position_name,
    without_top,
)


class Eliminating(Targeting):
    """A type that eliminates the top card of its choice."""

    target_help = "the position whose top card is eliminated"

    def apply(self, queue: Queue, points: int, at: int, move: int, rules: CardRules, events: list[Event] | None) -> Outcome:
        attacker, victim = queue[at], queue[move]
        points += 1 << POINTS_AT * (attacker >> OWNER_AT & OWNER)  # rule 18
        if events is not None:
            events += _eliminated(card_of(attacker), card_of(victim), move, move == at)
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
            due, leaves = victim_type.when_eliminated(not (attacker ^ victim) & FAMILY, rules)
            points += due << POINTS_AT * (victim >> OWNER_AT & OWNER)
            if events is not None and leaves:
                events += _ambushed(card_of(attacker), card_of(victim), due)
        if leaves or not self.is_character:
            if events is not None and not leaves:
                events += discarded(card_of(attacker))
            return without_top(stacks, at), points, at  # rule 14
        return tuple(stacks), points, at + 1

    def effect(self, queue: Queue, at: int, target: int, rules: CardRules) -> str:
        attacker, victim = card_of(queue[at]), card_of(queue[target])
        words = f"eliminates {'itself' if target == at else known_card(victim, attacker.owner)}: you get 1 point"
        if victim.tokens:
            words += f", the {counted(victim.tokens, 'token')} on it {'is' if victim.tokens == 1 else 'are'} lost"
        under = f"; {told}" if (told := next_under(queue, at, rules)) else ""
        if target == at:
            return words + under
        uncovered = queue[target] >> CARD_BITS
        if uncovered:
            turn = "is still to be resolved" if target > at else "is not resolved any more"
            words += f"; {known_card(card_of(uncovered), attacker.owner)} under it is then on top and {turn} this round"
        if attacker.owner == victim.owner:
            return f"{words}{_own_ambush(victim, rules)}; you lose a card of your own"
        if not victim.revealed:
            leaves = f" and your card leaves too{under}" if self.is_character else ""
            words += f"; if it is an Ambush, its owner gets 4 points{leaves}"
        return words


def _own_ambush(victim: QueueCard, rules: CardRules) -> str:
    """What an own card that springs adds to eliminating it."""
    victim_type = TYPES[victim.kind]
    due, leaves = victim_type.when_eliminated(True, rules) if victim_type.springs else (0, False)
    return f" and {counted(due, 'point')} more, your card leaves too" if leaves else ""


def _eliminated(attacker: QueueCard, victim: QueueCard, target: int, itself: bool) -> Iterator[Event]:
    """A card was eliminated; it is public from now on."""
    name = TYPES[victim.kind].name
    whom = "itself" if itself else public_card(victim)
    was = "" if victim.revealed else f": it was the {name}"
    lost = f", {counted(victim.tokens, 'token')} lost" if victim.tokens else ""
    text = Sentence(public_card(attacker), " eliminates ", whom, f" at {position_name(target)}{was}{lost}. ")
    data = {
        "seat": attacker.owner,
        "card": TYPES[attacker.kind].name,
        "victim": victim.owner,
        "victim_card": name,
        "position": target + 1,
        "tokens": victim.tokens,
        "points": 1,
    }
    yield Event("eliminated", Sentence(text, does(attacker.owner, "get 1 point.")), data)


def _ambushed(attacker: QueueCard, victim: QueueCard, points: int) -> Iterator[Event]:
    """The eliminated card was an Ambush and took the attacker with it."""
    name = TYPES[victim.kind].name
    brings = f" {name} brings {counted(points, 'point')} and "
    text = Sentence(Who(victim.owner, WHOSE), brings, public_card(attacker), " leaves too.")
    yield Event("ambush", text, {"seat": victim.owner, "attacker": attacker.owner, "points": points})
