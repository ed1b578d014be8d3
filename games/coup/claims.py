"""Claims to characters: who makes one, and how likely one that may be challenged is false."""

from __future__ import annotations

from math import comb

from games.core.claim import Answer, Claim, Doubt
from games.coup import phases
from games.coup.actions import BLOCKER, CHALLENGE, CLAIM, claim
from games.coup.belief import Belief, believed
from games.coup.distribution import UNKNOWN, kinds_at, number_of
from games.coup.evidence import KIND, Witness
from games.coup.position import Position


def claim_of(before: Position, seat: int, answer: Answer) -> Claim | None:
    """The character that a declaration or a block claims."""
    if answer is None or before.phase_id not in (phases.DECLARATION, *phases.BLOCK_WINDOWS):
        return None
    character = CLAIM.get(answer["action"]) if "action" in answer else BLOCKER.get(answer["response"])
    return Claim(character, character in before.hands[seat].down) if character else None


def doubt_of(before: Position, seat: int, answer: Answer) -> Doubt | None:
    """The claim that a decision in a challenge window is about."""
    if before.phase_id not in phases.CHALLENGE_WINDOWS:
        return None
    turn, character = before.turn, claim(before)
    claimant = turn.blocker if turn.block else turn.actor
    witness = Witness(before, seat)
    chance = _lacks(believed(witness.start, witness.found), claimant, KIND[character])
    is_challenged = answer is not None and answer["response"] == CHALLENGE
    return Doubt(claimant, Claim(character, character in before.hands[claimant].down), chance, is_challenged)


def _lacks(belief: Belief, place: int, kind: int) -> float:
    """The probability that no card of a kind is at a place."""
    total = lacking = 0.0
    for distribution in belief.distributions:
        mass = float(belief.mass(distribution))
        total += mass
        if not number_of(distribution, place, kind):
            pool = kinds_at(distribution, belief.pool)
            unknown, others = number_of(distribution, place, UNKNOWN), len(pool) - pool.count(kind)
            lacking += mass * comb(others, unknown) / comb(len(pool), unknown)
    return lacking / total
