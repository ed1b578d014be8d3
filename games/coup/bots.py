"""The bots: policies that read the position as their seat knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from typing import Any

from games.core import Policy, Rng, policy, random_policy
from games.coup import phases
from games.coup.actions import (
    ASSASSINATE,
    BLOCK_AS,
    BLOCKERS,
    CHALLENGE,
    CLAIM,
    CLOCKWISE,
    COST,
    COUP,
    EXCHANGE,
    FOREIGN_AID,
    INCOME,
    LOOT,
    PASS,
    STEAL,
    TAX,
    Declaration,
    keeps,
    legal_actions,
)
from games.coup.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CHARACTERS, CONTESSA, COPIES, DECK, DUKE, Cards
from games.coup.position import FALSE, NOBODY, Position, Turn

WORTH = {DUKE: 5, ASSASSIN: 4, CAPTAIN: 4, CONTESSA: 3, AMBASSADOR: 2}
BLUFFING, BLUFFED_BLOCKS = 0.3, 0.6
"""How often a player is assumed to claim a character without having it, for an action and for a block."""

_DRAFTED = len(CHARACTERS) + 2
"""The cards of a match with the draft: a card that each of two players chose, and one of each character."""

_INCOME, _FOREIGN_AID = Declaration(INCOME, NOBODY), Declaration(FOREIGN_AID, NOBODY)
_TAX, _EXCHANGE = Declaration(TAX, NOBODY), Declaration(EXCHANGE, NOBODY)
_MEMORY = 8
"""The turns whose claims are remembered."""

_BLUFF = 0.12
"""How often a character that is not held is claimed for an action."""


@policy
def steady(position: Position, seat: int, rng: Rng) -> Any:
    """Rules of thumb: mostly honest, challenges by the count of the cards, blocks what it can."""
    phase = position[3]
    if phase == phases.ACTION_CHALLENGE:
        turn = position[11]
        return _answer_claim(position, seat, turn[0], CLAIM[turn[1]], BLUFFING, rng)
    if phase == phases.BLOCK_CHALLENGE:
        turn = position[11]
        return _answer_claim(position, seat, turn[6], turn[7], BLUFFED_BLOCKS, rng)
    if phase in phases.BLOCK_WINDOWS:
        return _answer_block(position, seat, rng)
    if phase == phases.DECLARATION:
        return _declare(position, seat, rng)
    if phase in phases.LOSSES:
        return _cheapest(position.hands[seat].down)
    if phase == phases.EXCHANGE_DECISION:
        return _best_keep(position.hands[seat].down, position.drawn)
    return legal_actions(position, seat)[0]


BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": steady}


# -- cards ---------------------------------------------------------------------------------------------------------------


def _worth(cards: Sequence[str]) -> int:
    """A second card of the same character adds little."""
    return sum(WORTH[card] for card in set(cards)) + len(cards)


@cache
def _cheapest(down: Cards) -> str:
    """The card to lose, so that the rest is worth most."""
    return max(down, key=lambda lost: sum(WORTH[card] for card in set(down)) - (WORTH[lost] if down.count(lost) == 1 else 0))


@cache
def _best_keep(down: Cards, drawn: Cards) -> Cards:
    return max(keeps(down, drawn), key=_worth)


def _unseen(position: Position, seat: int, character: str) -> int:
    """How many copies of a character other players or the deck may have."""
    hands = position[6]
    unseen = COPIES - hands[seat].down.count(character)
    for hand in hands:
        if hand.shown:
            unseen -= hand.shown.count(character)
    return unseen


# -- challenges ----------------------------------------------------------------------------------------------------------


def _answer_claim(position: Position, seat: int, claimant: int, character: str, bluffing: float, rng: Rng) -> str:
    """Challenge a claim that is likely enough to be false, given what a wrong challenge costs."""
    hands = position[6]
    own = hands[seat].down
    unseen = COPIES - own.count(character)
    hidden = (_DRAFTED if position[13] else len(DECK)) - len(own)
    for hand in hands:
        if shown := hand.shown:
            hidden -= len(shown)
            unseen -= shown.count(character)
    doubt = _doubt(unseen, len(hands[claimant].down), hidden, bluffing)
    last_card = len(own) == 1
    if last_card and _is_doomed(position[11], seat) and CONTESSA not in own:
        return CHALLENGE if doubt > 0.25 else PASS
    least = 0.75 if last_card else 0.55
    return CHALLENGE if doubt > least and doubt > least + 0.2 * rng.random() else PASS


@cache
def _doubt(unseen: int, size: int, hidden: int, bluffing: float) -> float:
    """The probability that a claim is false, by the count of the cards: of `hidden` cards, `unseen` are of the character."""
    copies = max(0, unseen)
    chance = 1 - comb(max(0, hidden - copies), size) / comb(hidden, size)
    return bluffing * (1 - chance) / (chance + bluffing * (1 - chance))


def _is_doomed(turn: Turn, seat: int) -> bool:
    """Whether an assassination of the seat goes ahead unless it is stopped."""
    return turn.action == ASSASSINATE and turn.target == seat and not turn.block


# -- blocks --------------------------------------------------------------------------------------------------------------

_BOLDNESS = {
    (FOREIGN_AID, False): 0.2,
    (FOREIGN_AID, True): 0.2,
    (STEAL, False): 0.5,
    (STEAL, True): 0.5,
    (ASSASSINATE, False): 0.75,
    (ASSASSINATE, True): 1.0,
}
"""How often a block is a bluff, by the action and whether the blocker has one card left."""


def _answer_block(position: Position, seat: int, rng: Rng) -> str:
    action, own = position[11][1], position[6][seat].down
    blockers = BLOCKERS[action]
    for character in blockers:
        if character in own:
            return BLOCK_AS[character]
    if rng.random() >= _BOLDNESS[action, len(own) == 1]:
        return PASS
    character = max(blockers, key=lambda blocker: _unseen(position, seat, blocker))
    return BLOCK_AS[character] if _unseen(position, seat, character) > 0 else PASS


# -- declarations --------------------------------------------------------------------------------------------------------


def _declare(position: Position, seat: int, rng: Rng) -> Declaration:
    """The first legal action that makes sense, in order of strength."""
    coins, own = position[7][seat], position[6][seat].down
    if coins >= COST[COUP]:
        return Declaration(COUP, _opponents(position, seat, rng)[0])
    if coins >= COST[ASSASSINATE] and _would_claim(position, seat, ASSASSIN, rng):
        target = _target(position, seat, ASSASSINATE, rng)
        if target is not None:
            return Declaration(ASSASSINATE, target)
    if _would_claim(position, seat, DUKE, rng):
        return _TAX
    if _would_claim(position, seat, CAPTAIN, rng):
        target = _target(position, seat, STEAL, rng)
        if target is not None:
            return Declaration(STEAL, target)
    if AMBASSADOR in own and rng.random() < 0.4:
        return _EXCHANGE
    if rng.random() < 0.3 or (_unseen(position, seat, DUKE) > 0 and _is_claimed(position, seat, DUKE)):
        return _INCOME
    return _FOREIGN_AID


def _would_claim(position: Position, seat: int, character: str, rng: Rng) -> bool:
    if character in position[6][seat].down:
        return True
    return rng.random() < _BLUFF and _unseen(position, seat, character) > 1


def _opponents(position: Position, seat: int, rng: Rng) -> list[int]:
    """The living opponents, the most dangerous first, equals in a random order."""
    hands, coins = position[6], position[7]
    others = rng.shuffled(CLOCKWISE[position[8]][seat])
    return sorted(others, key=lambda other: (-len(hands[other].down), -coins[other]))


def _target(position: Position, seat: int, action: str, rng: Rng) -> int | None:
    """The most dangerous opponent who is not expected to block."""
    blocked = _claimants(position, BLOCKERS[action])
    for other in _opponents(position, seat, rng):
        if not blocked >> other & 1 and (
            action != STEAL or position[7][other] >= LOOT
        ):  # income brings one coin without a claim
            return other
    return None


def _is_claimed(position: Position, seat: int, character: str) -> bool:
    """Whether a living opponent has claimed a character without the claim being false."""
    return bool(_claimants(position, (character,)) & position[8] & ~(1 << seat))


def _claimants(position: Position, characters: Cards) -> int:
    """The seats (as bits) that have claimed one of these characters in the last turns without the claim being false."""
    found = 0
    for actor, action, _, _, _, verdict, blocker, block, _, block_verdict, _, _ in position[12][-_MEMORY:]:
        if block in characters and block_verdict != FALSE:
            found |= 1 << blocker
        if action in CLAIM and CLAIM[action] in characters and verdict != FALSE:
            found |= 1 << actor
    return found
