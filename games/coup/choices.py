"""What each choice does, in words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core import Step, Steps, seat_name
from games.coup import phases
from games.coup.cards import Hand
from games.coup.moves import (
    BLOCKER,
    BLOCKERS,
    CLAIM,
    COST,
    EXCHANGE,
    GAIN,
    LOOT,
    PASS,
    PROVE,
    STEAL,
    Declaration,
)
from games.coup.tell import TITLE, coins
from games.coup.turn import NOBODY

if TYPE_CHECKING:
    from games.coup.state import State

_LOSS = "the target loses an influence"
_EFFECT = (
    {action: f"take {coins(gain)}" for action, gain in GAIN.items()}
    | {action: f"pay {coins(cost)}: {_LOSS}" for action, cost in COST.items()}
    | {STEAL: f"take {coins(LOOT)} from the target", EXCHANGE: "draw two cards, return two"}
)


def steps(state: State, seat: int, move: Any) -> Steps:
    """A move of a pending seat, step by step."""
    phase = state.phase_id
    if phase == phases.DECLARATION:
        return _declaration(state, seat, move)
    if phase in phases.CHALLENGE_WINDOWS:
        return (Step("response", move, _challenging(state, move)),)
    if phase in phases.BLOCK_WINDOWS:
        return (Step("response", move, _blocking(state, seat, move)),)
    if phase in phases.EVALUATIONS:
        return (Step("response", move, _proving(state, move)),)
    if phase == phases.EXCHANGE_DECISION:
        return (_keeping(state, seat, move),)
    if phase in phases.PROOFS:
        return (Step("card", move, "your claim is true; you get another card for it"),)
    if phase == phases.SETUP:
        return (Step("card", move, "your first card; the second is dealt at random"),)
    return (Step("card", move, _losing(state.hands[seat])),)


def _declaration(state: State, seat: int, move: Declaration) -> Steps:
    action, target = move
    words = [_EFFECT[action]]
    if action in BLOCKERS:
        words.append(f"can be blocked as {' or '.join(BLOCKERS[action])}")
    if action in CLAIM:
        words.append(f"claims {CLAIM[action]}, {_holding(state, seat, CLAIM[action])}")
    elif action not in BLOCKERS:
        words.append("nobody can stop it")
    first = Step("action", TITLE[action], "; ".join(words))
    return (first,) if target == NOBODY else (first, Step("target", seat_name(target), _standing(state, target)))


def _holding(state: State, seat: int, character: str) -> str:
    return "which you have" if character in state.hands[seat].down else "a bluff"


def _standing(state: State, seat: int) -> str:
    influences = len(state.hands[seat].down)
    return f"{coins(state.coins[seat])}, {influences} influence{'s' if influences > 1 else ''}"


def _challenging(state: State, move: str) -> str:
    turn = state.turn
    claimant = seat_name(turn.blocker if turn.block else turn.actor)
    if move == PASS:
        return f"let the claim of {state.claim} stand, as far as you are concerned"
    fails = "the block" if turn.block else TITLE[turn.action]
    return f"has {claimant} no {state.claim}, {claimant} loses an influence and {fails} fails; else you lose one"


def _blocking(state: State, seat: int, move: str) -> str:
    action = TITLE[state.turn.action]
    if move == PASS:
        return f"do nothing against the {action}"
    character = BLOCKER[move]
    return f"the {action} has no effect, unless you are challenged on {character}, {_holding(state, seat, character)}"


def _proving(state: State, move: str) -> str:
    turn = state.turn
    doubter = seat_name(turn.block_challenger if turn.block else turn.challenger)
    if move == PROVE:
        return f"show {state.claim}: {doubter} loses an influence, and you get another card for it"
    return f"keep {state.claim} secret, and lose an influence yourself"


def _keeping(state: State, seat: int, kept: tuple[str, ...]) -> Step:
    returned = [*state.hands[seat].down, *state.drawn]
    for card in kept:
        returned.remove(card)
    return Step("cards", " and ".join(kept), f"return {' and '.join(returned)}")


def _losing(hand: Hand) -> str:
    if len(hand.down) == 1:
        return "it stays face up, and you are out"
    return "it stays face up, and you have one influence left"
