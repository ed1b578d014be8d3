"""Claims to characters: who makes one, and how likely one that may be challenged is false."""

from __future__ import annotations

from collections.abc import Collection
from math import comb

from games.core.claim import Answer, Claim, Doubt
from games.coup import phases
from games.coup.actions import BLOCKER, CHALLENGE, CLAIM, claim
from games.coup.belief.distribution import UNKNOWN, Belief, kinds_at, number_of
from games.coup.belief.evidence import KIND
from games.coup.position import Position
from games.coup.resample import belief_of


def claim_of(before: Position, seat: int, answer: Answer) -> Claim | None:
    """The character that a declaration or a block claims."""
    if answer is None or before.phase_id not in (phases.DECLARATION, *phases.BLOCK_WINDOWS):
        return None
    character = CLAIM.get(answer["action"]) if "action" in answer else BLOCKER.get(answer["response"])
    return Claim(character, character in before.hands[seat].down) if character else None


def challenge_of(before: Position, seat: int, answer: Answer) -> Doubt | None:
    """The claim that a decision in a challenge window is about."""
    if before.phase_id not in phases.CHALLENGE_WINDOWS:
        return None
    turn, character = before.turn, claim(before)
    claimant = turn.blocker if turn.block else turn.actor
    chance = chance_of_none(before, seat, claimant, (character,))
    is_challenged = answer is not None and answer["response"] == CHALLENGE
    return Doubt(claimant, Claim(character, character in before.hands[claimant].down), chance, is_challenged)


def chance_of_none(position: Position, seat: int, other: int, characters: Collection[str]) -> float:
    """The probability that a player has none of these characters, by the cards that a seat knows of alone."""
    _, belief = belief_of(position, seat)
    return _lacks(belief, other, {KIND[character] for character in characters})


def _lacks(belief: Belief, place: int, kinds: set[int]) -> float:
    """The probability that no card of these kinds is at a place."""
    total = lacking = 0.0
    for distribution, mass in belief.masses:
        total += mass
        if not kinds.intersection(kinds_at(distribution, place)):
            pool = kinds_at(distribution, belief.pool)
            unknown, others = number_of(distribution, place, UNKNOWN), len(pool) - sum(map(pool.count, kinds))
            lacking += mass * comb(others, unknown) / comb(len(pool), unknown)
    return lacking / total
