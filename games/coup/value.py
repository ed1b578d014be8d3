"""The worth of a position of Coup: what share of the win each player can expect when all play like `bot:steady`.

The worth of a player in relation to the others is the exponential of some weights. They are fitted to how matches of the bot
ended: `python -m tools.campaigns.fit_value`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from math import exp
from typing import NamedTuple

from games.core.softmax import stored_weights
from games.coup.actions import ASSASSINATE, CLOCKWISE, COST, COUP
from games.coup.cards import Cards
from games.coup.position import Position

_TURNS = 8
"""How far a playout looks ahead. The difference of two moves then varies half as much as at the end of the match."""


def horizon(position: Position) -> int | None:
    """After how many turns a playout stops. None: at the end, where a limit of turns decides matches, too."""
    return _TURNS if position.setup.options.max_turns is None else None


def value(position: Position, seat: int) -> float:
    """The share of the win that a seat can expect at the start of a turn."""
    strengths = {other: _strength(one) for other, one in prospects(position)}
    return strengths.get(seat, 0.0) / sum(strengths.values())


class Prospect(NamedTuple):
    """What a player is judged by: its face-down cards, its coins, how many are in, and how many of them play before it."""

    down: Cards
    coins: int
    crowd: int
    ahead: int

    def features(self) -> list[Hashable]:
        """What counts for the player."""
        size, some = len(self.down), min(4, self.crowd)
        funds = 0 if self.coins < COST[ASSASSINATE] else 1 if self.coins < COST[COUP] else 2
        found: list[Hashable] = [("coins", size, min(12, self.coins), some), ("turn", size, min(3, self.ahead), some, funds)]
        found += [("card", card, size, some) for card in sorted({*self.down})]
        if len({*self.down}) < size:
            found.append(("two alike", self.down[0], some))
        return found


def prospects(position: Position) -> Sequence[tuple[int, Prospect]]:
    """The living seats clockwise from the one whose turn it is, each with what it is judged by."""
    actor, living = position.turn.actor, position.living
    around = ((actor,) if living >> actor & 1 else ()) + CLOCKWISE[living][actor]
    hands, coins = position.hands, position.coins
    return [(seat, Prospect(hands[seat].down, coins[seat], len(around), ahead)) for ahead, seat in enumerate(around)]


_WEIGHTS = stored_weights("coup_value")


@cache
def _strength(one: Prospect) -> float:
    return exp(sum(_WEIGHTS.get(name, 0.0) for name in one.features()))
