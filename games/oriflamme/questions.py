"""What a seat is asked, how its answer is read, and what each choice does, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core import CALLS, Question, Sentence, Step, Steps, Who, answer_schema, chosen, counted, fields, one_of
from games.core.element import on_card, on_stack
from games.oriflamme.actions import CHOICES, KEEP, Placing, legal_actions, places
from games.oriflamme.cards import CHOOSERS, NAMES, NUMBERS, TYPES, CardType, ChoosingType, names_of
from games.oriflamme.cards.base import CardRules, known_card
from games.oriflamme.cards.choosing import next_under
from games.oriflamme.phases import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.position import Position
from games.oriflamme.stack import BARE, FRONT, ON, REVEALED, Queue, QueueCard, card_of, on_place, place_name, position_name

PLACING = "placing_player"
RESOLVING = "resolving_player"
ROLES = {
    PLACING: "places one hand card face down in the queue",
    RESOLVING: "keeps or reveals the hidden card being resolved, or chooses what its ability acts on",
}


def answer_of(position: Position, seat: int, move: Any) -> dict[str, Any]:
    """The answer data for a move of the seat that decides."""
    if position.phase_id == PLACEMENT:
        return {"card": TYPES[move[0]].name, "place": place_name(move[1])}
    if position.phase_id == RESOLUTION:
        return {"choice": move}
    return _choosing_type(position).answer(move)


def _choosing_type(position: Position) -> ChoosingType:
    """The type of card whose ability the owner has to choose for."""
    return CHOOSERS[position.phase_id - CHOICE_PHASES]


# -- reading an answer ---------------------------------------------------------------------------------------------------


def parse_answer(position: Position, seat: int, data: Any) -> Any:
    """The move that answer data of the seat that decides stands for. IllegalAction when it stands for no legal one."""
    if position.phase_id == PLACEMENT:
        return _parse_placing(position, seat, data)
    if position.phase_id == RESOLUTION:
        (choice,) = fields(data, "choice")
        return chosen("choice", choice, CHOICES)
    return _choosing_type(position).read(data, legal_actions(position, seat))


def known_values(position: Position, field: str) -> Sequence[str]:
    """The cards that a field of an answer can name."""
    return NAMES if field == "card" and position.phase_id == PLACEMENT else ()


def _parse_placing(position: Position, seat: int, data: Any) -> Placing:
    card, place = fields(data, "card", "place")
    held = names_of(position.hands[seat])
    missing = "that card is not in your hand" if isinstance(card, str) and card in NAMES else ""
    chosen("card", card, held, "" if card in held else missing)
    legal = places(position.queue, seat)
    names = [place_name(where) for where in legal]
    covers = isinstance(place, str) and place.startswith("on ")
    chosen("place", place, names, "a card can lie only on a top card of your own" if covers else "")
    return NUMBERS[card], legal[names.index(place)]


# -- the question --------------------------------------------------------------------------------------------------------


def question(position: Position, seat: int) -> Question:
    """What the seat that decides is asked."""
    if position.phase_id == PLACEMENT:
        return _placement_question(position, seat)
    if position.phase_id == RESOLUTION:
        return _resolution_question(position, seat)
    return _choice_question(position, seat)


def _placement_question(position: Position, seat: int) -> Question:
    effects = {place_name(where): _effect_of_place(position, seat, where) for where in places(position.queue, seat)}
    options = "\n".join(f'- "{name}": {effect}' for name, effect in effects.items())
    text = Sentence(f"Round {position.round}. ", Who(seat, CALLS), "place one of your hand cards face down.")
    schema = answer_schema(
        card=one_of(names_of(position.hands[seat]), "the hand card you place"),
        place=one_of(list(effects), "where it goes"),
    )
    return Question(text, schema, PLACING, f"Places:\n{options}")


def _resolution_question(position: Position, seat: int) -> Question:
    card = card_of(position.queue[position.pointer])
    where = f" at {position_name(position.pointer)} is being resolved; {counted(card.tokens, 'token')} on it."
    text = Sentence(Who(seat, CALLS), known_card(card, seat), where)
    choices = f'Choices:\n- "keep": {_effect_of_keep(card)}\n- "reveal": {_effect_of_reveal(position, card)}'
    schema = answer_schema(choice=one_of(CHOICES, "keep the card hidden for a token, or reveal it"))
    return Question(text, schema, RESOLVING, choices)


def _choice_question(position: Position, seat: int) -> Question:
    kind = _choosing_type(position)
    card = card_of(position.queue[position.pointer])
    copied = "" if card.kind == kind.number else f", copying the {kind.name},"
    where = f" at {position_name(position.pointer)}{copied} has to {kind.task}."
    text = Sentence(Who(seat, CALLS), known_card(card, seat), where)
    moves = legal_actions(position, seat)
    effects = kind.effects(position.queue, position.pointer, position.rules)
    choices = "The only legal choice:" if len(moves) == 1 else "Choices:"
    choices += "".join(f'\n- "{name}": {effect}' for name, effect in effects.items())
    if not kind.is_character and (under := next_under(position.queue, position.pointer, position.rules)):
        choices += f"\nThen your {kind.name} leaves; {under}."
    return Question(text, kind.schema(moves), RESOLVING, choices)


# -- what a choice does --------------------------------------------------------------------------------------------------


def describe_move(position: Position, seat: int, move: Any) -> Steps:
    """A move of the seat that decides, step by step."""
    if position.phase_id == PLACEMENT:
        kind, where = TYPES[move[0]], move[1]
        return (
            Step("card", kind.name, kind.in_short or kind.text, (on_card(seat, kind.name),)),
            Step("place", place_name(where), _effect_of_place(position, seat, where), (on_place(position.queue, where),)),
        )
    if position.phase_id == RESOLUTION:
        card, on = card_of(position.queue[position.pointer]), (on_stack(position.pointer),)
        return (Step("choice", move, _effect_of_keep(card) if move == KEEP else _effect_of_reveal(position, card), on),)
    return _choosing_type(position).steps(position.queue, position.pointer, move, position.rules)


def _effect_of_place(position: Position, seat: int, where: int) -> str:
    if not position.queue:
        return "the queue is empty"
    if where < ON:
        return "it is resolved first" if where == FRONT else "it is resolved last"
    card = card_of(position.queue[where - ON])
    tokens = f" with {counted(card.tokens, 'token')}" if card.tokens else ""
    return f"it covers {known_card(card, seat)}{tokens}, which does nothing while covered"


def _effect_of_keep(card: QueueCard) -> str:
    return f"it stays hidden and gets a token, {card.tokens + 1} in all"


def _effect_of_reveal(position: Position, card: QueueCard) -> str:
    kind, at, rules = TYPES[card.kind], position.pointer, position.rules
    paid = card.tokens * kind.payout
    words = [f"you get {counted(paid, 'point')} for its tokens" if kind.payout or not card.tokens else "its tokens are lost"]
    stacks = list(position.queue)
    stacks[at] = stacks[at] & BARE | REVEALED
    queue = tuple(stacks)
    words += _effect_of_ability(kind, queue, at, rules)
    if not kind.is_character:
        under = next_under(queue, at, rules)
        words.append(f"then it is discarded, and {under}" if under else "then it is discarded")
    return "; ".join(words) + _both_choices(kind, queue, at, rules)


def _effect_of_ability(kind: CardType, queue: Queue, at: int, rules: CardRules) -> list[str]:
    """What the ability of a revealed card does, as words; none for an intrigue that has no ability."""
    if isinstance(kind, ChoosingType):
        return [_coming_choice(kind, queue, at, rules)]
    gain = kind.gain(queue, at, rules)
    if not gain and not kind.is_character:
        return []
    return [f"its ability brings {counted(gain, 'point') if gain else 'nothing now'}"]


def _coming_choice(kind: ChoosingType, queue: Queue, at: int, rules: CardRules) -> str:
    """What the owner of a revealed card would have to do, and what that is if there is only one choice."""
    moves = kind.moves(queue, at, rules)
    if not moves:
        return f"its ability (to {kind.task}) finds nothing to act on"
    if len(moves) > 1:
        return f"then you have to {kind.task}"
    ((name, effect),) = kind.effects(queue, at, rules).items()
    return f"then you have only one choice, {name}: it {effect}"


def _both_choices(kind: CardType, queue: Queue, at: int, rules: CardRules) -> str:
    """What each of exactly two choices would do, on a line each."""
    if not isinstance(kind, ChoosingType) or len(kind.moves(queue, at, rules)) != 2:
        return ""
    effects = kind.effects(queue, at, rules)
    return "".join(f"\n  - {name}: {effect}" for name, effect in effects.items())
