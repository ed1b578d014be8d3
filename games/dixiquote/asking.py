"""What a seat is asked in DixiQuote, and how its answer is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core import IllegalAction, Question, answer_schema, chosen, fields, free_text, one_of
from games.dixiquote.phases import CHOOSE, QUOTE, VOTE

if TYPE_CHECKING:
    from games.dixiquote.state import State

ROLES = {
    "storyteller": "chooses a situation and gives the quote",
    "submitter": "plays the situation that fits the quote best",
    "voter": "votes for the situation the quote was meant for",
}
LONGEST_QUOTE = 500
CANNED_QUOTES = (
    "Some doors only remember who walked away.",
    "What was promised outlives the one who promised.",
    "Even silence keeps an account.",
    "We called it an ending because we were tired.",
)


def question(state: State, seat: int) -> Question:
    """What a pending seat is asked."""
    if state.phase_id == QUOTE:
        lines = state.options.max_quote_lines
        text = f"Give a quote of {'a single line' if lines == 1 else f'at most {lines} lines'} for the others to match."
        return Question(text, answer_schema(quote=free_text("the quote, like a line from a book, film or poem")), "storyteller")
    ids = [state.card(card).id for card in state.legal_moves(seat)]
    if state.phase_id == CHOOSE:
        schema = answer_schema(card=one_of(ids, "the id of the card from your hand that your quote will hint at"))
        return Question("Choose the situation from your hand that your quote will hint at.", schema, "storyteller")
    if state.phase_id == VOTE:
        schema = answer_schema(card=one_of(ids, "the id of the card on the table that you vote for"))
        return Question("Vote for the card on the table that you believe is the Storyteller's.", schema, "voter")
    schema = answer_schema(card=one_of(ids, "the id of the card from your hand that you submit"))
    return Question("Submit the situation from your hand that fits the quote best.", schema, "submitter")


def read(state: State, seat: int, data: Any) -> Any:
    """The move that answer data stands for. IllegalAction when it stands for no legal one."""
    if seat not in state.pending:
        raise IllegalAction("You owe no decision now.")
    if state.phase_id == QUOTE:
        (quote,) = fields(data, "quote")
        return _read_quote(quote, state.options.max_quote_lines)
    (card_id,) = fields(data, "card")
    numbers = {state.card(card).id: card for card in state.legal_moves(seat)}
    return numbers[chosen("card", card_id, tuple(numbers), _refusal(state, seat, card_id))]


def _read_quote(answer: object, most_lines: int) -> str:
    if not isinstance(answer, str):
        raise IllegalAction('"quote" has to be a text.')
    quote = answer.strip()
    if not quote:
        raise IllegalAction("The quote is empty. Say a line that hints at the situation.")  # rule 3
    lines = len(quote.splitlines())
    if lines > most_lines:
        allowed = "a single line" if most_lines == 1 else f"at most {most_lines} lines"
        raise IllegalAction(f"The quote has {lines} lines. It has to be {allowed}.")
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


def _refusal(state: State, seat: int, card_id: Any) -> str:
    if state.phase_id != VOTE:
        return ""
    own = state.submitted[seat]
    return "nobody may vote for their own card" if own is not None and state.card(own).id == card_id else ""
