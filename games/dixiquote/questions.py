"""What a seat is asked, how its answer is read, and its choices in words."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from games.core import IllegalAction, Question, Step, Steps, answer_schema, chosen, fields, free_text, one_of
from games.core.element import on_text
from games.dixiquote.actions import legal_actions
from games.dixiquote.phases import CHOOSE, QUOTE, VOTE
from games.dixiquote.position import Position

ROLES = {
    "storyteller": "chooses a situation and gives the quote",
    "submitter": "plays the situation that fits the quote best",
    "voter": "votes for the situation the quote was meant for",
}
LONGEST_QUOTE = 500


def answer_of(position: Position, seat: int, move: Any) -> dict[str, Any]:
    """The answer data for a move."""
    return {"quote": move} if position.phase_id == QUOTE else {"card": position.card(move).id}


def describe_move(position: Position, seat: int, move: Any) -> Steps:
    """A move of a pending seat in words."""
    if position.phase_id == QUOTE:
        return (Step("quote", move),)
    card = position.card(move)
    return (Step("situation", card.id, card.text, (on_text(card.id),)),)


def question(position: Position, seat: int) -> Question:
    """What a pending seat is asked, without its choices."""
    if position.phase_id == QUOTE:
        text = f"Give a quote of {_lines(position.options.max_quote_lines)} for the others to match."
        kind = f"the quote, like a line from a book, film or poem; at most {LONGEST_QUOTE} characters"
        return Question(text, answer_schema(quote=free_text(kind)), "storyteller")
    ids = [position.card(card).id for card in legal_actions(position, seat)]
    if position.phase_id == CHOOSE:
        schema = answer_schema(card=one_of(ids, "the id of the card from your hand that your quote will hint at"))
        return Question("Choose the situation from your hand that your quote will hint at.", schema, "storyteller")
    if position.phase_id == VOTE:
        schema = answer_schema(card=one_of(ids, "the id of the card on the table that you vote for"))
        return Question("Vote for the card on the table that you believe is the Storyteller's.", schema, "voter")
    schema = answer_schema(card=one_of(ids, "the id of the card from your hand that you submit"))
    return Question("Submit the situation from your hand that fits the quote best.", schema, "submitter")


def _lines(most: int) -> str:
    return "a single line" if most == 1 else f"at most {most} lines"


def parse_answer(position: Position, seat: int, data: Any) -> Any:
    """The move that answer data stands for. IllegalAction when it stands for no legal one."""
    if position.phase_id == QUOTE:
        (quote,) = fields(data, "quote")
        return _read_quote(quote, position.options.max_quote_lines)
    (card_id,) = fields(data, "card")
    numbers = {position.card(card).id: card for card in legal_actions(position, seat)}
    return numbers[chosen("card", card_id, tuple(numbers), _refusal(position, seat, card_id))]


def _read_quote(answer: object, most_lines: int) -> str:
    if not isinstance(answer, str):
        raise IllegalAction('"quote" has to be a text.')
    quote = answer.strip()
    if not quote:
        raise IllegalAction("The quote is empty. Say a line that hints at the situation.")  # rule 3
    lines = len(quote.splitlines())
    if lines > most_lines:
        raise IllegalAction(f"The quote has {lines} lines. It has to be {_lines(most_lines)}.")
    if len(quote) > LONGEST_QUOTE:
        raise IllegalAction(f"The quote has {len(quote)} characters. It may have {LONGEST_QUOTE} at the most.")
    if not _is_encodable(quote):
        raise IllegalAction("The quote holds half a character (a lone surrogate), which cannot be written down.")
    return quote


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def known_values(position: Position, field: str) -> Collection[Any]:
    """Every id of the deck, as ids of a deck of one's own may be alike."""
    return [card.id for card in position.options.deck] if field == "card" else ()


def _refusal(position: Position, seat: int, card_id: Any) -> str:
    if position.phase_id != VOTE:
        return ""
    own = position.submitted[seat]
    return "nobody may vote for their own card" if own is not None and position.card(own).id == card_id else ""
