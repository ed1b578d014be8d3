"""From one position to the next: the deal, what an answer does, and a strike-out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.core import OPENING, STRIKE_OUT, Event, Rng
from games.core.rng import replaced
from games.coup import bluffs, phases, turn
from games.coup import events as told
from games.coup.actions import COUP, FORCED_COUP, INCOME, PASS, Declaration, legal_actions, opponents
from games.coup.builder import PositionBuilder
from games.coup.cards import CHARACTERS, DECK, NO_CARDS, Cards, Hand
from games.coup.position import NOBODY, P, Position, fresh

_new = tuple.__new__

_TRANSITIONS: dict[int, Callable[[PositionBuilder, int, Any], Any]] = {
    phases.SETUP: turn.pick,
    phases.DECLARATION: turn.declare,
    phases.ACTION_CHALLENGE: bluffs.answer_claim,
    phases.EVALUATE_ACTION: bluffs.answer_claim_proof,
    phases.CLAIMANT_PROOF: bluffs.prove_claim,
    phases.CHALLENGER_LOSES: bluffs.lose_challenge,
    phases.CLAIMANT_LOSES: bluffs.lose_claim,
    phases.BLOCK_FOREIGN_AID: bluffs.answer_block,
    phases.BLOCK_ASSASSINATION: bluffs.answer_block,
    phases.BLOCK_STEAL: bluffs.answer_block,
    phases.BLOCK_CHALLENGE: bluffs.answer_block_claim,
    phases.EVALUATE_BLOCK: bluffs.answer_block_proof,
    phases.BLOCKER_PROOF: bluffs.prove_block,
    phases.BLOCK_CHALLENGER_LOSES: bluffs.lose_block_challenge,
    phases.BLOCKER_LOSES: bluffs.lose_block,
    phases.TARGET_LOSES: turn.lose_to_effect,
    phases.EXCHANGE_DECISION: turn.keep,
}
"""What a move does, by the phase it is made in."""


def apply(position: P, seat: int, move: Any, events: list[Event] | None) -> P:
    """The position after a legal move."""
    pending = position[4]
    if move == PASS and len(pending) > 1:
        if events is not None:
            events += told.passed(seat)
        waiting = tuple(other for other in pending if other != seat) if seat != pending[0] else pending[1:]
        return _new(type(position), ((position, seat, move), *position[1:4], waiting, *position[5:]))
    after: P = _TRANSITIONS[position[3]](PositionBuilder(position, (position, seat, move), events), seat, move)
    return after


def settle(position: P, seat: int, move: Any) -> P:
    """The position after the legal move with which a window closes, all seats asked before having passed; without events."""
    after: P = _TRANSITIONS[position[3]](PositionBuilder(position, None, None), seat, move)
    return after


# -- the deal ------------------------------------------------------------------------------------------------------------


def deal(kind: type[P], setup: Any, events: list[Event] | None) -> P:
    """The first position of a match in which somebody decides (rules 1 to 4)."""
    builder = PositionBuilder(kind(*_dealt(setup)), OPENING, events)
    starting = builder.turn.actor
    if events is not None:
        events += told.introduction(setup.players)
        builder.enter(phases.SETUP)
        events += told.setup(starting, builder.coins)
    dealt: Any = builder.build(phases.SETUP, (starting,)) if builder.picks else turn.start(builder)
    opened: P = dealt
    return opened


def _dealt(setup: Any) -> Position:
    """A match in phase 0."""
    players = setup.players
    rng = Rng.of("coup", setup.seed)
    start = rng.below(players)
    coins = (2,) * players
    if players == 2:
        coins = replaced(coins, start, setup.options.two_player_start_coin)
    hands: tuple[Hand, ...] = (NO_CARDS, NO_CARDS)
    picks: Cards = ("", "")
    deck = sorted(CHARACTERS)
    if players > 2 or not setup.options.draft:
        deck, picks = list(DECK), ()
        hands = tuple(Hand.of((_draw(deck, rng), _draw(deck, rng))) for _ in range(players))
    living = (1 << players) - 1
    phase = phases.INTRODUCTION
    return Position(None, setup, rng.word, phase, (), 1, hands, coins, living, tuple(deck), (), fresh(start), (), picks)


def _draw(deck: list[str], rng: Rng) -> str:
    return deck.pop(rng.below(len(deck)))


# -- strike-outs ---------------------------------------------------------------------------------------------------------


def strike_out(position: P, seat: int, events: list[Event] | None) -> P:
    """The position after too many invalid answers: a coin is lost, and the harmless move is made."""
    lost = min(1, position.coins[seat])
    if events is not None:
        events += told.penalty(seat, lost)
    fined = position._replace(
        coins=replaced(position.coins, seat, position.coins[seat] - lost),
        strike_outs=(*position.strike_outs, (position.round, position.phase_id, seat)),
    )
    return apply(fined, seat, _harmless(position, seat), events)._replace(origin=(position, seat, STRIKE_OUT))


def _harmless(position: Position, seat: int) -> Any:
    phase = position.phase_id
    if phase == phases.DECLARATION:
        if position.coins[seat] < FORCED_COUP:
            return Declaration(INCOME, NOBODY)
        return Declaration(COUP, max(opponents(position), key=position.coins.__getitem__))
    if phase == phases.EXCHANGE_DECISION:
        return tuple(sorted(position.hands[seat].down))
    return legal_actions(position, seat)[0]  # a pass, a proof, or the first card
