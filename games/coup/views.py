"""What a seat may know of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core import View
from games.coup import phases
from games.coup.moves import CLAIM
from games.coup.turn import NOBODY, Turn

if TYPE_CHECKING:
    from games.coup.state import State

_WINDOW = (
    dict.fromkeys(phases.CHALLENGE_WINDOWS, "challenge")
    | dict.fromkeys(phases.BLOCK_WINDOWS, "block")
    | dict.fromkeys((*phases.EVALUATIONS, *phases.PROOFS), "proof")
    | dict.fromkeys(phases.LOSSES, "loss")
    | {phases.EXCHANGE_DECISION: "exchange"}
)


def view(state: State, seat: int | None) -> View:
    """What everybody knows, and under `own` what the seat alone knows (rule 20)."""
    ended = state.has_ended
    return {
        "game": "coup",
        "seat": seat,
        "phase": {"id": state.phase_id, "name": state.phase.name},
        "players": state.setup.players,
        "options": state.setup.options.to_json(),
        "turn": state.round,
        "active": state.turn.actor,
        "coins": list(state.coins),
        "alive": [bool(state.living >> other & 1) for other in range(state.setup.players)],
        "hand_sizes": [len(hand.down) for hand in state.hands],
        "revealed": [list(hand.shown) for hand in state.hands],
        "deck_size": len(state.deck),
        "stake": _stake(state),
        "claims": claims(state),
        "history": [record(turn, number) for number, turn in enumerate(_finished(state), 1)],
        "own": None if seat is None else _own(state, seat),
        "winners": list(state.winners),
        "hands": [list(hand.slots) for hand in state.hands] if ended else None,
    }


def claims(state: State) -> list[list[dict[str, Any]]]:
    """What each seat has claimed so far; the verdict is null while nobody has challenged the claim, or not to the end."""
    claimed: list[list[dict[str, Any]]] = [[] for _ in range(state.setup.players)]
    for number, turn in enumerate((*state.history, state.turn), 1):
        if turn.action in CLAIM:
            claimed[turn.actor].append(_claim(number, turn.action, CLAIM[turn.action], turn.verdict))
        if turn.block:
            claimed[turn.blocker].append(_claim(number, f"block {turn.action}", turn.block, turn.block_verdict))
    return claimed


def _claim(turn: int, purpose: str, character: str, verdict: str) -> dict[str, Any]:
    return {"turn": turn, "for": purpose, "character": character, "verdict": verdict or None}


def record(turn: Turn, number: int) -> dict[str, Any]:
    """The public part of a turn: null for a seat without a part in it and for what was not said."""
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


def _finished(state: State) -> tuple[Turn, ...]:
    return (*state.history, state.turn) if state.has_ended else state.history


def _stake(state: State) -> dict[str, Any] | None:
    if state.has_ended or not state.turn.action:
        return None
    return {**record(state.turn, state.round), "window": _WINDOW[state.phase_id]}


def _own(state: State, seat: int) -> dict[str, Any]:
    exchanging = state.phase_id == phases.EXCHANGE_DECISION and seat == state.turn.actor
    return {
        "cards": list(state.hands[seat].down),
        "drawn": list(state.drawn) if exchanging else [],
        "returned": [
            {"turn": number, "cards": list(turn.returned)}
            for number, turn in enumerate(_finished(state), 1)
            if turn.actor == seat and turn.returned
        ],
        "picked": (state.picks[seat] or None) if state.picks else None,
    }
