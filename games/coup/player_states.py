"""The players as the source of this game describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core import seat_name
from games.coup.cards import Hand
from games.coup.moves import CLAIM, EXCHANGE
from games.coup.tell import TITLE
from games.coup.turn import SUCCESS

if TYPE_CHECKING:
    from games.coup.state import State


def of(state: State) -> dict[int, dict[str, Any]]:
    """Every player by an id that counts from 1; a `target_player_id` of 0 means none."""
    return {seat + 1: _player(state, seat) for seat in range(state.setup.players)}


def _player(state: State, seat: int) -> dict[str, Any]:
    turn = state.turn
    active = seat == turn.actor
    return {
        "name": seat_name(seat),
        "coins": state.coins[seat],
        "influences": _influences(state.hands[seat]),
        "is_alive": bool(state.living >> seat & 1),
        "claimed_action": TITLE.get(turn.action, "") if active else "",
        "claimed_character": _claimed_character(state, seat),
        "target_player_id": turn.target + 1 if active else 0,
        "last_action_outcome": _outcome(state, seat),
    }


def _influences(hand: Hand) -> dict[str, dict[str, Any]]:
    return {
        str(slot + 1): {"character": card, "revealed": shown}
        for slot, (card, shown) in enumerate(zip(hand.slots, hand.up, strict=True))
    }


def _claimed_character(state: State, seat: int) -> str:
    turn = state.turn
    if seat == turn.blocker:
        return turn.block
    if seat != turn.actor or (turn.action == EXCHANGE and turn.outcome == SUCCESS):
        return ""
    return CLAIM.get(turn.action, "")


def _outcome(state: State, seat: int) -> str:
    for turn in (state.turn, *reversed(state.history)):
        if turn.actor == seat and turn.outcome:
            return turn.outcome
    return ""
