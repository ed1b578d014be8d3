"""The frame of a turn: the draft before the first one, declaring an action, its effect, and the end."""

from __future__ import annotations

from games.core.rng import replaced
from games.coup import events as told
from games.coup import phases
from games.coup.actions import (
    ASSASSINATE,
    COST,
    COUP,
    EXCHANGE,
    FOREIGN_AID,
    GAIN,
    INCOME,
    LOOT,
    STEAL,
    TAX,
    Declaration,
)
from games.coup.builder import PositionBuilder
from games.coup.cards import Cards
from games.coup.position import SUCCESS, Position, declared, ending, fresh, winners

# -- the beginning -------------------------------------------------------------------------------------------------------


def pick(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phase 1, with the draft (rule 3)."""
    builder.picks = replaced(builder.picks, seat, card)
    builder.hands = replaced(builder.hands, seat, builder.hands[seat].take(card))
    if builder.events is not None:
        builder.events += told.pick(seat, card)
    other = 1 - seat
    if not builder.picks[other]:
        return builder.build(phases.SETUP, (other,))
    for player in (other, seat):
        builder.hands = replaced(builder.hands, player, builder.hands[player].take(builder.draw()))
    return start(builder)


def start(builder: PositionBuilder) -> Position:
    """Phases 2 and 3 of the first turn, once everybody has cards and coins."""
    if builder.events is not None:
        for seat, hand in enumerate(builder.hands):
            builder.events += told.dealt(seat, hand.down)
    return _next_turn(builder)


def _next_turn(builder: PositionBuilder) -> Position:
    actor = builder.turn.actor
    if builder.events is not None:
        builder.enter(phases.START_OF_TURN)
        builder.events += told.turn(builder.round, actor, builder.coins[actor])
    return builder.build(phases.DECLARATION, (actor,))


# -- the action ----------------------------------------------------------------------------------------------------------


def declare(builder: PositionBuilder, seat: int, move: Declaration) -> Position:
    """Phase 3 (rules 4 to 9)."""
    action, target = move
    builder.turn = declared(seat, action, target)
    if action in COST:
        builder.pay(seat, -COST[action])
    if builder.events is not None:
        builder.events += told.declaration(seat, action, target)
    if action == INCOME:
        return resolve(builder)
    if action == FOREIGN_AID:
        return builder.build(phases.BLOCK_FOREIGN_AID, builder.others(seat))
    if action == COUP:
        return builder.build(phases.TARGET_LOSES, (target,))
    return builder.build(phases.ACTION_CHALLENGE, builder.others(seat))


def go_ahead(builder: PositionBuilder) -> Position:
    """What follows once the claim behind an action stands (rule 9)."""
    actor, action, target = builder.turn[:3]
    if action == TAX:
        return resolve(builder)
    if action == STEAL:
        return builder.build(phases.BLOCK_STEAL, (target,))
    if action == ASSASSINATE:
        return builder.build(phases.BLOCK_ASSASSINATION, (target,))
    assert action == EXCHANGE
    builder.drawn = (builder.draw(), builder.draw())
    if builder.events is not None:
        builder.events += told.exchange_draw(actor, builder.drawn)
    return builder.build(phases.EXCHANGE_DECISION, (actor,))


# -- its effect ----------------------------------------------------------------------------------------------------------


def resolve(builder: PositionBuilder, coins: int = 0) -> Position:
    """Phase 20. `coins` is what the target had before it went out in this turn, if it did."""
    actor, action, target = builder.turn[:3]
    if builder.events is not None:
        builder.enter(phases.RESOLVE)
    amount = _steal(builder, target, coins) if action == STEAL else GAIN[action]
    builder.pay(actor, amount)
    if builder.events is not None:
        builder.events += told.gain(actor, action, target, amount)
    return end_turn(builder, SUCCESS)


def _steal(builder: PositionBuilder, target: int, coins: int) -> int:
    if not builder.is_in(target):  # K-C6
        return min(LOOT, coins) if builder.setup.options.steal_from_exiled else 0
    amount = min(LOOT, builder.coins[target])
    builder.pay(target, -amount)
    return amount


def lose_to_effect(builder: PositionBuilder, seat: int, card: str) -> Position:
    """Phase 21 (rules 6, 7)."""
    builder.lose_influence(seat, card)
    return end_turn(builder, SUCCESS)


def keep(builder: PositionBuilder, seat: int, kept: Cards) -> Position:
    """Phase 22 (rule 16)."""
    hand = builder.hands[seat]
    returned = list(hand.down + builder.drawn)
    for card in kept:
        returned.remove(card)
    for card in returned:
        builder.return_card(card)
    builder.hands = replaced(builder.hands, seat, hand.keep(kept))
    builder.drawn = ()
    builder.turn = builder.turn.exchanged(tuple(returned))
    if builder.events is not None:
        builder.events += told.exchange_end(seat, kept, tuple(returned))
    return end_turn(builder, SUCCESS)


# -- the end -------------------------------------------------------------------------------------------------------------


def end_turn(builder: PositionBuilder, outcome: str) -> Position:
    """Phases 23, 24, 2 and 3 (rules 4, 18; K-C14)."""
    builder.turn = turn = builder.turn.ended(outcome)
    if builder.events is not None:
        builder.enter(phases.CHECK)
    limit = builder.setup.options.max_turns
    if builder.one_left() or (limit is not None and builder.round >= limit):
        return finish(builder)
    builder.history += (turn,)
    builder.turn = fresh(builder.others(turn.actor)[0])
    builder.round += 1
    if builder.events is not None:
        builder.enter(phases.ADVANCE)
    return _next_turn(builder)


def finish(builder: PositionBuilder) -> Position:
    """Phase 99 (rule 18; K-C13, K-C14)."""
    end = builder.build(phases.GAME_OVER, ())
    if builder.events is not None:
        builder.events += told.end(winners(end), ending(end), builder.hands)
    return end
