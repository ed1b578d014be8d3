"""What a seat is asked, and taking its answer apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core import IllegalAction, Question, answer_schema, chosen, counted, fields, one_of, seat_name
from games.oriflamme.action import CHOICES
from games.oriflamme.cards import NAMES, NUMBERS, TYPES, CardType
from games.oriflamme.data import names_of
from games.oriflamme.phase_ids import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.placement import places
from games.oriflamme.places import FRONT, ON, place_name, position_name
from games.oriflamme.stack import BARE, REVEALED, Card, card_of
from games.oriflamme.words import known_card

if TYPE_CHECKING:
    from games.oriflamme.cards.base import Queue
    from games.oriflamme.options import Rules
    from games.oriflamme.state import State

PLACING = "placing_player"
RESOLVING = "resolving_player"
ROLES = {
    PLACING: "places one hand card face down in the queue",
    RESOLVING: "keeps or reveals the hidden card being resolved, or chooses what its ability acts on",
}


def answer(state: State, move: Any) -> dict[str, Any]:
    """The answer data for a move of the seat that decides."""
    if state.phase_id == PLACEMENT:
        return {"card": TYPES[move[0]].name, "place": place_name(move[1])}
    if state.phase_id == RESOLUTION:
        return {"choice": move}
    return TYPES[state.phase_id - CHOICE_PHASES].answer(move)


def read(state: State, seat: int, data: Any) -> Any:
    """The move that answer data of a seat stands for. IllegalAction when it stands for no legal one."""
    if seat != state.actor:
        raise IllegalAction(f"{seat_name(seat)} has nothing to decide now.")
    if state.phase_id == PLACEMENT:
        return _read_placement(state, seat, data)
    if state.phase_id == RESOLUTION:
        (choice,) = fields(data, "choice")
        return chosen("choice", choice, CHOICES)
    return TYPES[state.phase_id - CHOICE_PHASES].read(data, state.legal_moves(seat))


def _read_placement(state: State, seat: int, data: Any) -> tuple[int, int]:
    card, place = fields(data, "card", "place")
    held = names_of(state.hands[seat])
    missing = "that card is not in your hand" if isinstance(card, str) and card in NAMES else ""
    chosen("card", card, held, "" if card in held else missing)
    legal = places(state.queue, seat)
    names = [place_name(where) for where in legal]
    covers = isinstance(place, str) and place.startswith("on ")
    chosen("place", place, names, "a card can lie only on a top card of your own" if covers else "")
    return NUMBERS[card], legal[names.index(place)]


def question(state: State, seat: int) -> Question:
    """What the seat that decides is asked."""
    if seat != state.actor:
        raise ValueError(f"seat {seat} owes no decision, so it is asked nothing")
    if state.phase_id == PLACEMENT:
        return _placement_question(state, seat)
    if state.phase_id == RESOLUTION:
        return _resolution_question(state, seat)
    return _choice_question(state, seat)


def _placement_question(state: State, seat: int) -> Question:
    effects = {place_name(where): placing(state, seat, where) for where in places(state.queue, seat)}
    options = "\n".join(f"- {name}: {effect}" for name, effect in effects.items())
    text = f"Round {state.round}. {seat_name(seat)}, place one of your hand cards face down."
    schema = answer_schema(
        card=one_of(names_of(state.hands[seat]), "the hand card you place"),
        place=one_of(list(effects), "where it goes"),
    )
    return Question(text, schema, PLACING, f"Places:\n{options}")


def placing(state: State, seat: int, where: int) -> str:
    """What placing a card there does."""
    if not state.queue:
        return "the queue is empty"
    if where < ON:
        return "it is resolved first" if where == FRONT else "it is resolved last"
    card = card_of(state.queue[where - ON])
    tokens = f" with {counted(card.tokens, 'token')}" if card.tokens else ""
    return f"it covers {known_card(card, seat)}{tokens}, which does nothing while covered"


def _resolution_question(state: State, seat: int) -> Question:
    card = card_of(state.queue[state.pointer])
    text = (
        f"{seat_name(seat)}, {known_card(card, seat)} at {position_name(state.pointer)} is being resolved; "
        f"{counted(card.tokens, 'token')} on it."
    )
    choices = f"Choices:\n- keep: {keeping(card)}\n- reveal: {revealing(state, card)}"
    schema = answer_schema(choice=one_of(CHOICES, "keep the card hidden for a token, or reveal it"))
    return Question(text, schema, RESOLVING, choices)


def keeping(card: Card) -> str:
    """What keeping the card being resolved hidden does."""
    return f"it stays hidden and gets a token, {card.tokens + 1} in all"


def revealing(state: State, card: Card) -> str:
    """What revealing the card being resolved does."""
    kind = TYPES[card.kind]
    paid = card.tokens * kind.payout
    words = [f"you get {counted(paid, 'point')} for its tokens" if kind.payout or not card.tokens else "its tokens are lost"]
    at, shown = state.pointer, list(state.queue)
    shown[at] = shown[at] & BARE | REVEALED
    queue = tuple(shown)
    gain = kind.gain(queue, at, state.rules)
    if kind.decides:
        words.append(_choosing(kind, queue, at, state.rules))
    elif gain or kind.is_character:
        words.append(f"its ability brings {counted(gain, 'point') if gain else 'nothing now'}")
    if not kind.is_character:
        words.append("then it is discarded")
    return "; ".join(words) + _pair(kind, queue, at, state.rules)


def _choosing(kind: CardType, queue: Queue, at: int, rules: Rules) -> str:
    """What the owner of a revealed card would have to do, and what that is if there is one choice only."""
    moves = kind.moves(queue, at, rules)
    if not moves:
        return f"its ability (to {kind.task}) finds nothing to act on"
    if len(moves) > 1:
        return f"then you have to {kind.task}"
    ((name, effect),) = kind.effects(queue, at, rules).items()
    return f"then you have only one choice, {name}: it {effect}"


def _pair(kind: CardType, queue: Queue, at: int, rules: Rules) -> str:
    """What each of just two choices would do, on a line each."""
    effects = kind.effects(queue, at, rules) if len(kind.moves(queue, at, rules)) == 2 else {}
    return "".join(f"\n  - {name}: {effect}" for name, effect in effects.items())


def _choice_question(state: State, seat: int) -> Question:
    kind = TYPES[state.phase_id - CHOICE_PHASES]
    card = card_of(state.queue[state.pointer])
    copied = "" if card.kind == kind.number else f", copying the {kind.name},"
    text = f"{seat_name(seat)}, {known_card(card, seat)} at {position_name(state.pointer)}{copied} has to {kind.task}."
    moves = state.legal_moves(seat)
    effects = kind.effects(state.queue, state.pointer, state.rules)
    choices = "The only legal choice:" if len(moves) == 1 else "Choices:"
    choices += "".join(f"\n- {name}: {effect}" for name, effect in effects.items())
    return Question(text, kind.schema(moves), RESOLVING, choices)
