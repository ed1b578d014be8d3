"""What a seat may know of a match."""

from __future__ import annotations

from typing import Any

from games.core import View
from games.coup import phases
from games.coup.actions import CLAIM
from games.coup.position import NOBODY, Position, Turn, winners

_WINDOW = (
    dict.fromkeys(phases.CHALLENGE_WINDOWS, "challenge")
    | dict.fromkeys(phases.BLOCK_WINDOWS, "block")
    | dict.fromkeys((*phases.EVALUATIONS, *phases.PROOFS), "proof")
    | dict.fromkeys(phases.LOSSES, "loss")
    | {phases.EXCHANGE_DECISION: "exchange"}
)


def view(position: Position, seat: int | None) -> View:
    """What everybody knows, and under `own` what only the seat knows (rule 20)."""
    return {
        "game": "coup",
        "seat": seat,
        "phase": {"id": position.phase_id, "name": phases.PHASES.by_id(position.phase_id).name},
        "players": position.setup.players,
        "options": position.setup.options.to_json(),
        "turn": position.round,
        "active": position.turn.actor,
        "coins": list(position.coins),
        "alive": [bool(position.living >> other & 1) for other in range(position.setup.players)],
        "hand_sizes": [len(hand.down) for hand in position.hands],
        "revealed": [list(hand.shown) for hand in position.hands],
        "deck_size": len(position.deck),
        "stake": _stake(position),
        "claims": _claims(position),
        "history": [_record(turn, number) for number, turn in enumerate(_finished(position), 1)],
        "own": None if seat is None else _own(position, seat),
        "strike_outs": [
            {"turn": turn, "phase": phases.PHASES.by_id(phase).name, "seat": other}
            for turn, phase, other in position.strike_outs
        ],
        "winners": list(winners(position)),
        "hands": [list(hand.slots) for hand in position.hands] if not position.pending else None,
    }


def _claims(position: Position) -> list[list[dict[str, Any]]]:
    """Every claim of each seat so far; the verdict is null unless a challenge to the claim is decided."""
    claimed: list[list[dict[str, Any]]] = [[] for _ in range(position.setup.players)]
    for number, turn in enumerate((*position.history, position.turn), 1):
        if turn.action in CLAIM:
            claimed[turn.actor].append(_claim(number, turn.action, CLAIM[turn.action], turn.verdict))
        if turn.block:
            claimed[turn.blocker].append(_claim(number, f"block {turn.action}", turn.block, turn.block_verdict))
    return claimed


def _claim(turn: int, purpose: str, character: str, verdict: str) -> dict[str, Any]:
    return {"turn": turn, "for": purpose, "character": character, "verdict": verdict or None}


def _record(turn: Turn, number: int) -> dict[str, Any]:
    """The public part of a turn; null stands for nobody and for nothing."""
    return {
        "turn": number,
        "actor": turn.actor,
        "action": turn.action,
        "target": _seat(turn.target),
        "claim": CLAIM.get(turn.action),
        "challenger": _seat(turn.challenger),
        "verdict": turn.verdict or None,
        "blocker": _seat(turn.blocker),
        "block": turn.block or None,
        "block_challenger": _seat(turn.block_challenger),
        "block_verdict": turn.block_verdict or None,
        "losses": [{"seat": seat, "card": card} for seat, card in turn.losses],
        "outcome": turn.outcome or None,
    }


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _finished(position: Position) -> tuple[Turn, ...]:
    return position.history if position.pending else (*position.history, position.turn)


def _stake(position: Position) -> dict[str, Any] | None:
    if not position.pending or not position.turn.action:
        return None
    return {**_record(position.turn, position.round), "window": _WINDOW[position.phase_id]}


def _own(position: Position, seat: int) -> dict[str, Any]:
    exchanging = position.phase_id == phases.EXCHANGE_DECISION and seat == position.turn.actor
    return {
        "cards": list(position.hands[seat].down),
        "drawn": list(position.drawn) if exchanging else [],
        "returned": [
            {"turn": number, "cards": list(turn.returned)}
            for number, turn in enumerate(_finished(position), 1)
            if turn.actor == seat and turn.returned
        ],
        "picked": (position.picks[seat] or None) if position.picks else None,
    }
