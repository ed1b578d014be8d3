"""The Ambush (rules 26 and 27)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardRules, CardType
from games.oriflamme.stack import Queue

BOTH_LEAVE = "two_points_both_leave"
ATTACKER_STAYS = "one_point_attacker_stays"


class Ambush(CardType):
    name = "Ambush"
    in_short = "4 points if an opponent eliminates it"
    is_character = False
    springs = True
    payout = 0  # rule 12

    def gain(self, queue: Queue, at: int, rules: CardRules) -> int:
        return 1

    def when_eliminated(self, by_own: bool, rules: CardRules) -> tuple[int, bool]:
        if not by_own:
            return 4, True
        return (1, True) if rules.ambush_own == BOTH_LEAVE else (0, False)
