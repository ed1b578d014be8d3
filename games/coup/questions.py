"""What a seat is asked, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import seat_name
from games.coup import phases
from games.coup.moves import BLOCKERS, FORCED_COUP, TARGETED
from games.coup.tell import TITLE, coins

if TYPE_CHECKING:
    from games.coup.state import State


def text(state: State, seat: int) -> str:
    """The question to a pending seat."""
    phase = state.phase_id
    if phase == phases.DECLARATION:
        return _declaration(state.coins[seat])
    if phase in phases.CHALLENGE_WINDOWS:
        return _challenge(state)
    if phase in phases.BLOCK_WINDOWS:
        return f"{_action(state)}. Do you block it as {' or '.join(BLOCKERS[state.turn.action])}, or pass?"
    if phase in phases.EVALUATIONS:
        return f"{_challenged(state)}, and you have the card. Do you show it, or concede and lose an influence?"
    if phase in phases.PROOFS:
        return f"{_challenged(state)}. Show the card."
    if phase == phases.EXCHANGE_DECISION:
        kept = len(state.hands[seat].down)
        return f"You have drawn two cards. Which {'card' if kept == 1 else 'two cards'} do you keep?"
    if phase == phases.SETUP:
        return "Which card of your set do you take? A second one is dealt to you at random."
    return f"{_why_lost(state)}. Which face-down card do you turn up?"


def _declaration(purse: int) -> str:
    forced = f" With {FORCED_COUP} or more it has to be a coup." if purse >= FORCED_COUP else ""
    return f"It is your turn and you have {coins(purse)}.{forced} Which action do you declare?"


def _action(state: State) -> str:
    turn = state.turn
    aim = f" against {seat_name(turn.target)}" if turn.action in TARGETED else ""
    return f"{seat_name(turn.actor)} has declared {TITLE[turn.action]}{aim}"


def _challenge(state: State) -> str:
    turn = state.turn
    if turn.block:
        blocks = f"{seat_name(turn.blocker)} claims {turn.block} and blocks it"
        return f"{_action(state)}. {blocks}. Do you challenge the block, or pass?"
    return f"{_action(state)}, claiming {state.claim}. Do you challenge the claim, or pass?"


def _challenged(state: State) -> str:
    turn = state.turn
    challenger = turn.block_challenger if turn.block else turn.challenger
    return f"{seat_name(challenger)} has challenged your claim of {state.claim}"


def _why_lost(state: State) -> str:
    turn = state.turn
    match state.phase_id:
        case phases.CHALLENGER_LOSES:
            return f"{seat_name(turn.actor)} has proven {state.claim}, which you challenged"
        case phases.BLOCK_CHALLENGER_LOSES:
            return f"{seat_name(turn.blocker)} has proven {state.claim}, which you challenged"
        case phases.CLAIMANT_LOSES | phases.BLOCKER_LOSES:
            return f"Your claim of {state.claim} was challenged and is not proven"
        case _:
            return f"{TITLE[turn.action]} by {seat_name(turn.actor)} costs you an influence"
