"""Claims: challenges to them, proofs, blocks, and the influences they cost."""

from __future__ import annotations

from games.coup import events as told
from games.coup import phases
from games.coup.actions import ASSASSINATE, BLOCKER, CHALLENGE, CLAIM, COST, PASS, PROVE, STEAL
from games.coup.builder import PositionBuilder
from games.coup.position import (
    BLOCKED,
    CHALLENGED_AND_LOST,
    CHALLENGED_AND_WON,
    CONCEDED,
    FALSE,
    PROVEN,
    SUCCESS,
    Position,
)
from games.coup.turn import end_turn, finish, go_ahead, resolve

# -- the claim behind the action -----------------------------------------------------------------------------------------


def answer_claim(builder: PositionBuilder, seat: int, move: str) -> Position:
    """Phase 4: a challenge, or the last pass (rules 9, 10)."""
    turn = builder.turn
    actor, claim = turn.actor, CLAIM[turn.action]
    if move != CHALLENGE:
        if builder.events is not None:
            builder.events += told.unchallenged(actor, claim)
        return go_ahead(builder)
    if builder.events is not None:
        builder.events += told.challenge(seat, actor, claim)
        builder.enter(phases.EVALUATE_ACTION)
    if claim in builder.hands[actor].down:
        builder.turn = turn.challenged(seat, "")
        may_concede = builder.setup.options.may_concede  # K-C8
        return builder.build(phases.EVALUATE_ACTION if may_concede else phases.CLAIMANT_PROOF, (actor,))
    builder.turn = turn.challenged(seat, FALSE)
    if builder.events is not None:
        builder.events += told.false_claim(actor, claim)
    return builder.build(phases.CLAIMANT_LOSES, (actor,))


def answer_claim_proof(builder: PositionBuilder, seat: int, move: str) -> Position:
    """Phase 5, with may_concede (K-C8)."""
    if move == PROVE:
        return builder.build(phases.CLAIMANT_PROOF, (seat,))
    builder.turn = builder.turn.judged(CONCEDED, builder.turn.outcome)
    if builder.events is not None:
        builder.events += told.concession(seat, CLAIM[builder.turn.action])
    return builder.build(phases.CLAIMANT_LOSES, (seat,))


def prove_claim(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phases 6 and 7 (rule 11)."""
    _prove(builder, seat, card, phases.REPLACE_PROOF)
    builder.turn = builder.turn.judged(PROVEN, CHALLENGED_AND_WON)
    return builder.build(phases.CHALLENGER_LOSES, (builder.turn.challenger,))


def _prove(builder: PositionBuilder, seat: int, card: str, replacing: int) -> None:
    if builder.events is not None:
        builder.events += told.proof(seat, card)
        builder.enter(replacing)
    drawn = builder.exchange_proof(seat, card)
    if builder.events is not None:
        builder.events += told.replacement(seat, card, drawn)


def lose_challenge(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phase 8 (rules 11, 14; K-C4)."""
    coins = builder.coins[seat]
    is_in = builder.lose_influence(seat, card)
    if builder.one_left():
        return finish(builder)
    turn = builder.turn
    if is_in or turn.target != seat:
        return go_ahead(builder)
    if turn.action == STEAL:
        return resolve(builder, coins)
    if builder.events is not None:
        builder.events += told.no_effect(seat)
    return end_turn(builder, turn.outcome)


def lose_claim(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phase 9 (rule 12)."""
    is_in = builder.lose_influence(seat, card)
    cost = COST.get(builder.turn.action, 0)
    if cost and is_in and builder.setup.options.refund_on_challenge:  # K-C2
        builder.pay(seat, cost)
        if builder.events is not None:
            builder.events += told.refund(seat, cost)
    return end_turn(builder, CHALLENGED_AND_LOST)


# -- blocks --------------------------------------------------------------------------------------------------------------


def answer_block(builder: PositionBuilder, seat: int, move: str) -> Position:
    """Phases 10, 11 and 12: a block, or the last pass (rules 6, 7, 10)."""
    actor, action = builder.turn[:2]
    if move == PASS:
        if builder.events is not None:
            builder.events += told.unblocked(actor, action)
        return builder.build(phases.TARGET_LOSES, (seat,)) if action == ASSASSINATE else resolve(builder)
    character = BLOCKER[move]
    builder.turn = builder.turn.blocked_by(seat, character)
    if builder.events is not None:
        builder.events += told.block(seat, actor, action, character)
    return builder.build(phases.BLOCK_CHALLENGE, _block_challengers(builder, seat))


def _block_challengers(builder: PositionBuilder, blocker: int) -> tuple[int, ...]:
    if builder.setup.options.block_challenge_order == "from_blocker":
        return builder.others(blocker)
    actor = builder.turn.actor
    return tuple(seat for seat in (actor, *builder.others(actor)) if seat != blocker)


def answer_block_claim(builder: PositionBuilder, seat: int, move: str) -> Position:
    """Phase 13: a challenge, or the last pass (rules 9, 10, 13)."""
    turn = builder.turn
    blocker, claim = turn.blocker, turn.block
    if move != CHALLENGE:
        if builder.events is not None:
            builder.events += told.unchallenged(blocker, claim)
        return _block_stands(builder)
    if builder.events is not None:
        builder.events += told.challenge(seat, blocker, claim)
        builder.enter(phases.EVALUATE_BLOCK)
    if claim in builder.hands[blocker].down:
        builder.turn = turn.block_challenged(seat, "")
        may_concede = builder.setup.options.may_concede  # K-C8
        return builder.build(phases.EVALUATE_BLOCK if may_concede else phases.BLOCKER_PROOF, (blocker,))
    builder.turn = turn.block_challenged(seat, FALSE)
    if builder.events is not None:
        builder.events += told.false_claim(blocker, claim)
    return builder.build(phases.BLOCKER_LOSES, (blocker,))


def answer_block_proof(builder: PositionBuilder, seat: int, move: str) -> Position:
    """Phase 14, with may_concede (K-C8)."""
    if move == PROVE:
        return builder.build(phases.BLOCKER_PROOF, (seat,))
    builder.turn = builder.turn.block_judged(CONCEDED)
    if builder.events is not None:
        builder.events += told.concession(seat, builder.turn.block)
    return builder.build(phases.BLOCKER_LOSES, (seat,))


def prove_block(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phases 15 and 16 (rule 11)."""
    _prove(builder, seat, card, phases.REPLACE_BLOCK_PROOF)
    builder.turn = builder.turn.block_judged(PROVEN)
    return builder.build(phases.BLOCK_CHALLENGER_LOSES, (builder.turn.block_challenger,))


def lose_block_challenge(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phase 17 (rule 13; K-C12)."""
    builder.lose_influence(seat, card)
    return finish(builder) if builder.one_left() else _block_stands(builder)


def lose_block(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phase 18 (rule 12; K-C5, K-C6)."""
    coins = builder.coins[seat]
    is_in = builder.lose_influence(seat, card)
    if builder.one_left():
        return finish(builder)
    if builder.turn.action != ASSASSINATE:
        return resolve(builder, coins)
    return builder.build(phases.TARGET_LOSES, (seat,)) if is_in else end_turn(builder, SUCCESS)


def _block_stands(builder: PositionBuilder) -> Position:
    if builder.events is not None:
        builder.enter(phases.BLOCK_STANDS)
        builder.events += told.blocked(builder.turn.blocker, builder.turn.action)
    return end_turn(builder, BLOCKED)
