"""The moves, and which of them are legal: the one source of legality."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from games.coup import phases
from games.coup.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CHARACTERS, CONTESSA, DUKE, Cards
from games.coup.position import NOBODY, Position

INCOME = "income"
FOREIGN_AID = "foreign aid"
COUP = "coup"
TAX = "tax"
ASSASSINATE = "assassinate"
STEAL = "steal"
EXCHANGE = "exchange"
ACTIONS = (INCOME, FOREIGN_AID, COUP, TAX, ASSASSINATE, STEAL, EXCHANGE)
TITLE = {action: action.title() for action in ACTIONS}

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

_SAME_FOR_ALL: dict[int, tuple[str, ...]] = {
    phases.SETUP: CHARACTERS,
    phases.ACTION_CHALLENGE: PASS_OR_CHALLENGE,
    phases.EVALUATE_ACTION: PROVE_OR_CONCEDE,
    phases.BLOCK_FOREIGN_AID: PASS_OR_BLOCK[FOREIGN_AID],
    phases.BLOCK_ASSASSINATION: PASS_OR_BLOCK[ASSASSINATE],
    phases.BLOCK_STEAL: PASS_OR_BLOCK[STEAL],
    phases.BLOCK_CHALLENGE: PASS_OR_CHALLENGE,
    phases.EVALUATE_BLOCK: PROVE_OR_CONCEDE,
}
"""By phase, the moves that are legal for every pending seat in every position."""


class Declaration(NamedTuple):
    """An action and the seat it is aimed at, NOBODY for those without a target."""

    action: str
    target: int


def _clockwise(living: int, seat: int) -> tuple[int, ...]:
    around = (*range(seat + 1, SEATS), *range(seat))
    return tuple(other for other in around if living >> other & 1)


CLOCKWISE = tuple(tuple(_clockwise(living, seat) for seat in range(SEATS)) for living in range(1 << SEATS))
"""By the set of living seats (as bits) and a seat: the other living seats, clockwise from that seat."""


def opponents(position: Position) -> tuple[int, ...]:
    """The living opponents of the active player, clockwise from that player."""
    return CLOCKWISE[position.living][position.turn.actor]


def claim(position: Position) -> str:
    """The character claimed last in this turn, by the blocker if there is a block; empty when there is none."""
    return position.turn.block or CLAIM.get(position.turn.action, "")


def legal_actions(position: Position, seat: int) -> Sequence[Any]:
    """The legal moves of a pending seat, distinct."""
    phase = position[3]
    if same := _SAME_FOR_ALL.get(phase):
        return same
    if phase == phases.DECLARATION:
        return declarations(position.coins[seat], opponents(position), _robbable(position))
    if phase == phases.EXCHANGE_DECISION:
        return keeps(position.hands[seat].down, position.drawn)
    if phase in phases.PROOFS:
        return (claim(position),)
    return position.hands[seat].choices


def _robbable(position: Position) -> tuple[int, ...]:
    targets = opponents(position)
    if position.setup.options.steal_requires_coins:  # K-C7
        return tuple(seat for seat in targets if position.coins[seat])
    return targets


@cache
def declarations(coins: int, targets: tuple[int, ...], robbable: tuple[int, ...]) -> tuple[Declaration, ...]:
    """The legal declarations with these coins against these opponents; `robbable` are the legal targets of Steal."""
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
