"""What can be declared and answered: the one source of legality."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from games.coup.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, Cards
from games.coup.turn import NOBODY

INCOME = "income"
FOREIGN_AID = "foreign aid"
COUP = "coup"
TAX = "tax"
ASSASSINATE = "assassinate"
STEAL = "steal"
EXCHANGE = "exchange"
ACTIONS = (INCOME, FOREIGN_AID, COUP, TAX, ASSASSINATE, STEAL, EXCHANGE)

COST = {COUP: 7, ASSASSINATE: 3}
FORCED_COUP = 10
CLAIM = {TAX: DUKE, ASSASSINATE: ASSASSIN, STEAL: CAPTAIN, EXCHANGE: AMBASSADOR}
BLOCKERS: dict[str, Cards] = {FOREIGN_AID: (DUKE,), ASSASSINATE: (CONTESSA,), STEAL: (CAPTAIN, AMBASSADOR)}
TARGETED = (COUP, ASSASSINATE, STEAL)
SEATS = 6
GAIN = {INCOME: 1, FOREIGN_AID: 2, TAX: 3}
LOOT = 2

PASS = "pass"
CHALLENGE = "challenge"
PROVE = "prove"
CONCEDE = "concede"
BLOCK_AS = {character: f"block as {character}" for character in (DUKE, CONTESSA, CAPTAIN, AMBASSADOR)}
BLOCKER = {words: character for character, words in BLOCK_AS.items()}

PASS_OR_CHALLENGE = (PASS, CHALLENGE)
PASS_OR_BLOCK = {action: (PASS, *(BLOCK_AS[who] for who in blockers)) for action, blockers in BLOCKERS.items()}
PROVE_OR_CONCEDE = (PROVE, CONCEDE)


class Declaration(NamedTuple):
    """An action and the seat it is aimed at, NOBODY for those without a target."""

    action: str
    target: int


@cache
def declarations(coins: int, targets: tuple[int, ...], robbable: tuple[int, ...]) -> tuple[Declaration, ...]:
    """What a player with these coins may declare against these living opponents, of whom some may be stolen from."""
    return tuple(_declarations(coins, targets, robbable))


def _declarations(coins: int, targets: tuple[int, ...], robbable: tuple[int, ...]) -> Iterator[Declaration]:
    forced = coins >= FORCED_COUP  # rule 5
    for action in (COUP,) if forced else ACTIONS:
        if coins < COST.get(action, 0):  # rule 8
            continue
        if action not in TARGETED:
            yield Declaration(action, NOBODY)
        else:
            for target in robbable if action == STEAL else targets:
                yield Declaration(action, target)


@cache
def keeps(down: Cards, drawn: Cards) -> tuple[Cards, ...]:
    """The different ways to keep as many cards as are face down, each in alphabetical order (rule 16)."""
    return tuple(dict.fromkeys(combinations(sorted(down + drawn), len(down))))


def _clockwise(living: int, seat: int) -> tuple[int, ...]:
    around = (*range(seat + 1, SEATS), *range(seat))
    return tuple(other for other in around if living >> other & 1)


CLOCKWISE = tuple(tuple(_clockwise(living, seat) for seat in range(SEATS)) for living in range(1 << SEATS))
"""By the set of living seats (as bits) and a seat: the other living seats, clockwise from that seat."""
