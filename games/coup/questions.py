"""What a seat is asked, the schema of an answer, and how an answer is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.core import Does, Question, Schema, Sentence, Who, answer_schema, chosen, counted, does, fields, one_of, seat_name
from games.coup import phases
from games.coup.actions import (
    ACTIONS,
    BLOCK_AS,
    BLOCKERS,
    CHALLENGE,
    CLAIM,
    COST,
    COUP,
    FORCED_COUP,
    PASS,
    STEAL,
    TARGETED,
    TITLE,
    Declaration,
    claim,
    legal_actions,
)
from games.coup.cards import CHARACTERS
from games.coup.position import NOBODY, Position

NO_TARGET = "none"
RESPONSE = "response"
_FIELD = (
    {phases.SETUP: "take", phases.EXCHANGE_DECISION: "keep"}
    | dict.fromkeys(phases.PROOFS, "show")
    | dict.fromkeys(phases.LOSSES, "lose")
)
_ASKS = {
    "take": "the card to take",
    "keep": "the cards to keep, in alphabetical order",
    "show": "the card to show",
    "lose": "the face-down card to turn up",
    RESPONSE: "your response",
}

ACTIVE_PLAYER = "active_player"
CHALLENGER = "challenger"
BLOCKER = "blocker"
BLOCK_CHALLENGER = "block_challenger"
INFLUENCE_LOSER = "influence_loser"
EXCHANGER = "exchanger"
PROVER = "prover"
DRAFTER = "drafter"
ROLES = {
    ACTIVE_PLAYER: "the player whose turn it is declares an action",
    CHALLENGER: "an opponent challenges the claim behind an action, or passes",
    BLOCKER: "an opponent blocks an action, or passes",
    BLOCK_CHALLENGER: "another player challenges the claim behind a block, or passes",
    INFLUENCE_LOSER: "a player chooses the face-down card to turn up",
    EXCHANGER: "the active player chooses the cards to keep in an exchange",
    PROVER: "a challenged player shows the claimed card, or with may_concede decides whether to",
    DRAFTER: "with the draft, a player chooses the first card",
}
_ROLE = (
    {
        phases.SETUP: DRAFTER,
        phases.DECLARATION: ACTIVE_PLAYER,
        phases.ACTION_CHALLENGE: CHALLENGER,
        phases.BLOCK_CHALLENGE: BLOCK_CHALLENGER,
        phases.EXCHANGE_DECISION: EXCHANGER,
    }
    | dict.fromkeys(phases.BLOCK_WINDOWS, BLOCKER)
    | dict.fromkeys((*phases.EVALUATIONS, *phases.PROOFS), PROVER)
    | dict.fromkeys(phases.LOSSES, INFLUENCE_LOSER)
)


def target_name(target: int) -> str:
    """How a target is written in an answer."""
    return NO_TARGET if target == NOBODY else seat_name(target)


def answer_of(position: Position, seat: int, move: Any) -> dict[str, Any]:
    """The answer data for a move."""
    return answer_in(position.phase_id, move)


def answer_in(phase: int, move: Any) -> dict[str, Any]:
    """The answer data for a move in a phase, whatever the position is."""
    if phase == phases.DECLARATION:
        return {"action": move.action, "target": target_name(move.target)}
    if phase == phases.EXCHANGE_DECISION:
        return {"keep": ", ".join(move)}
    return {_FIELD.get(phase, RESPONSE): move}


# -- asking --------------------------------------------------------------------------------------------------------------


def question(position: Position, seat: int) -> Question:
    """What a pending seat is asked, without its choices."""
    return Question(_text(position, seat), _schema(position, seat), _ROLE[position.phase_id], passing=_passing(position, seat))


def _text(position: Position, seat: int) -> str:
    """The question to a pending seat."""
    phase = position.phase_id
    if phase == phases.DECLARATION:
        return _declaration(position.coins[seat])
    if phase in phases.CHALLENGE_WINDOWS:
        return _challenge(position)
    if phase in phases.BLOCK_WINDOWS:
        return Sentence(_action(position), f". Do you block it as {' or '.join(BLOCKERS[position.turn.action])}, or pass?")
    if phase in phases.EVALUATIONS:
        return Sentence(_challenged(position), ", and you have the card. Do you show it, or concede and lose an influence?")
    if phase in phases.PROOFS:
        return Sentence(_challenged(position), ". Show the card.")
    if phase == phases.EXCHANGE_DECISION:
        kept = len(position.hands[seat].down)
        return f"You have drawn two cards. Which {'card' if kept == 1 else 'two cards'} do you keep?"
    if phase == phases.SETUP:
        return "Which card of your set do you take? A second one is dealt to you at random."
    return Sentence(_why_lost(position), ". Which face-down card do you turn up?")


def _passing(position: Position, seat: int) -> dict[str, Any] | None:
    """To pass on a claim or an action that neither is the seat's own nor aims at it."""
    is_response = position.phase_id in phases.CHALLENGE_WINDOWS or position.phase_id in phases.BLOCK_WINDOWS
    is_concerned = seat in (position.turn.actor, position.turn.target)
    return {RESPONSE: PASS} if is_response and not is_concerned else None


def _declaration(coins: int) -> str:
    forced = f" With {FORCED_COUP} or more it has to be a coup." if coins >= FORCED_COUP else ""
    return f"It is your turn and you have {counted(coins, 'coin')}.{forced} Which action do you declare?"


def _action(position: Position) -> Sentence:
    turn = position.turn
    aim = (" against ", Who(turn.target)) if turn.action in TARGETED else ()
    return Sentence(does(turn.actor, f"have declared {TITLE[turn.action]}"), *aim)


def _challenge(position: Position) -> str:
    turn = position.turn
    if turn.block:
        blocks = Does(turn.blocker, "block it. Do you challenge the block, or pass?")
        return Sentence(_action(position), ". ", does(turn.blocker, f"claim {turn.block} and"), blocks)
    return Sentence(_action(position), f", claiming {claim(position)}. Do you challenge the claim, or pass?")


def _challenged(position: Position) -> Sentence:
    turn = position.turn
    challenger = turn.block_challenger if turn.block else turn.challenger
    return does(challenger, f"have challenged your claim of {claim(position)}")


def _why_lost(position: Position) -> str:
    turn = position.turn
    match position.phase_id:
        case phases.CHALLENGER_LOSES:
            return does(turn.actor, f"have proven {claim(position)}, which you challenged")
        case phases.BLOCK_CHALLENGER_LOSES:
            return does(turn.blocker, f"have proven {claim(position)}, which you challenged")
        case phases.CLAIMANT_LOSES | phases.BLOCKER_LOSES:
            return f"Your claim of {claim(position)} was challenged and is not proven"
        case _:
            return Sentence(f"{TITLE[turn.action]} by ", Who(turn.actor), " costs you an influence")


def _schema(position: Position, seat: int) -> Schema:
    legal = [answer_of(position, seat, move) for move in legal_actions(position, seat)]
    if position.phase_id == phases.DECLARATION:
        return answer_schema(
            action=one_of(_each(legal, "action"), "the action to declare"),
            target=one_of(_each(legal, "target"), f'whom it is aimed at; "{NO_TARGET}" for an action without a target'),
        )
    (field,) = legal[0]
    return answer_schema(**{field: one_of(_each(legal, field), _ASKS[field])})


def _each(legal: Sequence[dict[str, Any]], field: str) -> list[str]:
    return _unique(data[field] for data in legal)


# -- reading -------------------------------------------------------------------------------------------------------------


def parse_answer(position: Position, seat: int, data: Any) -> Any:
    """The legal move that answer data stands for. IllegalAction when there is none."""
    if position.phase_id == phases.DECLARATION:
        return _read_declaration(position, seat, data)
    moves = legal_actions(position, seat)
    field = _FIELD.get(position.phase_id, RESPONSE)
    (value,) = fields(data, field)
    if field == "keep":
        return _read_keep(position, seat, value)
    reason = _REASONS[field](position, value) if field in _REASONS else ""
    return chosen(field, value, moves, reason)


def _read_declaration(position: Position, seat: int, data: Any) -> Declaration:
    moves: Sequence[Declaration] = legal_actions(position, seat)
    action, target = fields(data, "action", "target")
    chosen("action", action, _unique(move.action for move in moves), _why_no_action(position, seat, action))
    fitting = [move for move in moves if move.action == action]
    names = [target_name(move.target) for move in fitting]
    return fitting[names.index(chosen("target", target, names, _why_no_target(position, seat, action, target)))]


def known_values(position: Position, field: str) -> Sequence[str]:
    """The actions, players, characters or responses that a field of an answer can name."""
    named = {"action": ACTIONS, "target": [seat_name(seat) for seat in range(position.setup.players)]}
    return named.get(field) or ((CHALLENGE, *BLOCK_AS.values()) if field == RESPONSE else CHARACTERS)


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _why_no_action(position: Position, seat: int, action: object) -> str:
    if action not in ACTIONS:
        return ""
    coins = position.coins[seat]
    if coins >= FORCED_COUP and action != COUP:
        return f"with {FORCED_COUP} or more coins only a coup is open, and you have {coins}"
    if coins < COST.get(str(action), 0):
        return f"{TITLE[str(action)]} costs {COST[str(action)]} coins and you have {coins}"
    return "no opponent has a coin to steal" if action == STEAL else ""


def _why_no_target(position: Position, seat: int, action: str, target: object) -> str:
    if action not in TARGETED:
        return f"{TITLE[action]} has no target"
    if target in (NO_TARGET, None):
        return f"{TITLE[action]} needs a target"
    names = [seat_name(other) for other in range(position.setup.players)]
    if target in names:
        return _why_not(position, seat, action, names.index(target))
    return "there is no such player"


def _why_not(position: Position, seat: int, action: str, target: int) -> str:
    if target == seat:
        return "that is you"
    if not position.living >> target & 1:
        return f"{seat_name(target)} is out of the game"
    return f"{seat_name(target)} has no coin to steal" if action == STEAL else ""


def _read_keep(position: Position, seat: int, value: object) -> Any:
    moves = legal_actions(position, seat)
    words = {", ".join(move): move for move in moves}
    if isinstance(value, str):
        value = ", ".join(sorted(card.strip().capitalize() for card in value.split(",")))
    return words[chosen("keep", value, list(words), _why_not_keep(position, seat, value))]


def _why_not_keep(position: Position, seat: int, value: object) -> str:
    if not isinstance(value, str):
        return "it is one string with the names of the cards, a comma between two"
    cards = value.split(", ")
    wanted = len(position.hands[seat].down)
    held = [*position.hands[seat].down, *position.drawn]
    known = [card for card in cards if card in CHARACTERS]
    if len(known) < len(cards):
        return ""
    if len(cards) != wanted:
        return f"you keep exactly {wanted}, as many as you have influences"
    return f"you hold {', '.join(sorted(held))} and can keep no others"


def _why_no_response(position: Position, value: object) -> str:
    phase = position.phase_id
    if phase in phases.CHALLENGE_WINDOWS and value in BLOCK_AS.values():
        return (
            "this window is for challenges; who may block is asked after it" if phase == 4 else "the action is blocked already"
        )
    if phase in phases.BLOCK_WINDOWS:
        action = position.turn.action
        if value == CHALLENGE:
            over = "the challenges to the action are over"
            return f"this window is for blocks; {over if action in CLAIM else f'{TITLE[action]} claims no character'}"
        if value in BLOCK_AS.values():
            return f"{TITLE[action]} is blocked as {' or '.join(BLOCKERS[action])} only"
        if value == "block":
            return "a block names the character that is claimed"
    return ""


def _why_no_proof(position: Position, value: object) -> str:
    return f"the claim to prove is {claim(position)}" if value in CHARACTERS else ""


def _why_no_loss(position: Position, value: object) -> str:
    return "it is not among your face-down cards" if value in CHARACTERS else ""


_REASONS = {RESPONSE: _why_no_response, "show": _why_no_proof, "lose": _why_no_loss}
