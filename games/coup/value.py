"""The worth of a position of Coup: what share of the win each player can expect when all play like `bot:steady`.

The worth of a player in relation to the others is the exponential of some weights. They are fitted to how matches of the bot
ended: `python -m tools.campaigns.fit_value`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from math import exp
from typing import NamedTuple

from games.core.softmax import stored_weights
from games.coup.actions import ASSASSINATE, BLOCKERS, CLAIM, CLOCKWISE, COST, COUP, STEAL, TAX
from games.coup.cards import Cards
from games.coup.position import Position

_TURNS = 8
"""How far a playout looks ahead. The difference of two moves then varies half as much as at the end of the match."""

_MOST_COINS = 10
"""Coins with which a coup is forced: more of them count the same."""

_MOST_TABLES = 1 << 14
"""Of how many tables the shares are kept."""


def horizon(position: Position) -> int | None:
    """After how many turns a playout stops. None: at the end, where a limit of turns decides matches, too."""
    return _TURNS if position.setup.options.max_turns is None else None


def value(position: Position, seat: int) -> float:
    """The share of the win that a seat can expect at the start of a turn."""
    around, players = _around(position)
    return _expected(players)[around.index(seat)] if seat in around else 0.0


class Player(NamedTuple):
    """What a player has: its face-down cards and its coins."""

    down: Cards
    coins: int

    @property
    def size(self) -> int:
        """The number of influences."""
        return len(self.down)

    @property
    def funds(self) -> int:
        """What the coins buy: 0 nothing, 1 an assassination, 2 a coup."""
        return 0 if self.coins < COST[ASSASSINATE] else 1 if self.coins < COST[COUP] else 2


Table = tuple[Player, ...]
"""The living players, clockwise from the one whose turn it is."""


class Prospect(NamedTuple):
    """What a player is judged by: what it has, and what the others have, those that play before it and those that play after
    it."""

    own: Player
    before: Table
    after: Table

    def features(self) -> Iterator[Hashable]:
        """What counts for the player."""
        own, others = self.own, self.before + self.after
        size, coins, crowd = own.size, min(_MOST_COINS, own.coins), min(4, 1 + len(others))
        yield "coins", size, coins, crowd
        yield "turn", size, min(3, len(self.before)), crowd, own.funds
        for card in sorted({*own.down}):
            yield "card", card, size, crowd
        if len({*own.down}) < size:
            yield "two alike", own.down[0], crowd
        yield from self._in_a_duel(others[0]) if len(others) == 1 else self._in_a_crowd(others, crowd)

    def _in_a_duel(self, other: Player) -> Iterator[Hashable]:
        own, is_first = self.own, not self.before
        coins, theirs = min(_MOST_COINS, own.coins), min(_MOST_COINS, other.coins)
        actions, their_actions = _unblocked(own.down, other.down), _unblocked(other.down, own.down)
        yield "duel, coins", own.size, coins, other.size, theirs, is_first
        yield "duel, actions", own.size, actions, other.size, their_actions, is_first
        yield "duel, actions and coins", own.size, actions, other.size, coins, is_first
        yield "duel, actions and their coins", own.size, actions, other.size, theirs, is_first
        for card in sorted({*own.down}):
            for against in sorted({*other.down}):
                yield "duel, cards", own.size, card, other.size, against

    def _in_a_crowd(self, others: Sequence[Player], crowd: int) -> Iterator[Hashable]:
        own, size = self.own, self.own.size
        richest, largest = max(other.coins for other in others), max(other.size for other in others)
        weak = sum(other.size == 1 for other in others)
        coups = sum(other.funds == 2 for other in self.before)
        yield "others, coins", size, min(9, own.coins), min(9, richest), crowd
        yield "others, richest", size, own.coins >= richest, largest, crowd
        yield "others, before", size, min(2, coups), any(other.funds == 1 for other in self.before), crowd
        yield "others, influences", size, min(2, weak), largest, crowd, own.funds
        if crowd == 3:
            near, far = ((other.size, other.funds) for other in others)
            yield "others, two", size, own.funds, len(self.before), *near, *far
        for action in (STEAL, ASSASSINATE):
            if CLAIM[action] in own.down:
                targets = sum(_is_open(other.down, action) for other in others)
                yield "others, open to", action, size, min(3, targets), crowd, own.funds
            if _is_open(own.down, action):
                threats = sum(CLAIM[action] in other.down for other in others)
                yield "others, threaten", action, size, threats, crowd


@cache
def _is_open(down: Cards, action: str) -> bool:
    """Whether none of the cards blocks an action."""
    return {*down}.isdisjoint(BLOCKERS.get(action, ()))


_BITS = {TAX: 1, STEAL: 2, ASSASSINATE: 4}


@cache
def _unblocked(down: Cards, other: Cards) -> int:
    """Which actions of its own characters a player can carry out against another, as bits."""
    return sum(bit for action, bit in _BITS.items() if CLAIM[action] in down and _is_open(other, action))


def prospects(position: Position) -> list[tuple[int, Prospect]]:
    """The living seats clockwise from the one whose turn it is, each with what it is judged by."""
    around, players = _around(position)
    return [*zip(around, _prospects(players), strict=True)]


def _prospects(players: Table) -> Iterator[Prospect]:
    return (Prospect(one, players[:place], players[place + 1 :]) for place, one in enumerate(players))


def _around(position: Position) -> tuple[tuple[int, ...], Table]:
    actor, living, hands, coins = position.turn.actor, position.living, position.hands, position.coins
    around = ((actor,) if living >> actor & 1 else ()) + CLOCKWISE[living][actor]
    return around, tuple([Player(hands[seat].down, coins[seat]) for seat in around])


_WEIGHTS = stored_weights("coup_value")


@lru_cache(_MOST_TABLES)
def _expected(players: Table) -> tuple[float, ...]:
    strengths = [exp(sum(_WEIGHTS.get(name, 0.0) for name in one.features())) for one in _prospects(players)]
    return tuple([strength / sum(strengths) for strength in strengths])
