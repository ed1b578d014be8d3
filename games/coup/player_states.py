"""The players in the format of the published design that the game follows."""

from __future__ import annotations

from typing import Any

from games.core import seat_name
from games.coup.actions import CLAIM, EXCHANGE, TITLE
from games.coup.cards import Hand
from games.coup.position import SUCCESS, Position


def player_states(position: Position) -> dict[int, dict[str, Any]]:
    """Every player by an id that counts from 1; a `target_player_id` of 0 means none."""
    return {seat + 1: _player(position, seat) for seat in range(position.setup.players)}


def _player(position: Position, seat: int) -> dict[str, Any]:
    turn = position.turn
    active = seat == turn.actor
    return {
        "name": seat_name(seat),
        "coins": position.coins[seat],
        "influences": _influences(position.hands[seat]),
        "is_alive": bool(position.living >> seat & 1),
        "claimed_action": TITLE.get(turn.action, "") if active else "",
        "claimed_character": _claimed_character(position, seat),
        "target_player_id": turn.target + 1 if active else 0,
        "last_action_outcome": _outcome(position, seat),
    }


def _influences(hand: Hand) -> dict[str, dict[str, Any]]:
    return {
        str(slot + 1): {"character": card, "revealed": shown}
        for slot, (card, shown) in enumerate(zip(hand.slots, hand.up, strict=True))
    }


def _claimed_character(position: Position, seat: int) -> str:
    turn = position.turn
    if seat == turn.blocker:
        return turn.block
    if seat != turn.actor or (turn.action == EXCHANGE and turn.outcome == SUCCESS):
        return ""
    return CLAIM.get(turn.action, "")


def _outcome(position: Position, seat: int) -> str:
    for turn in (position.turn, *reversed(position.history)):
        if turn.actor == seat and turn.outcome:
            return turn.outcome
    return ""
