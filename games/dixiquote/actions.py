"""The legal moves of a seat: the one source of legality.

A move is the number of a card to choose, to submit or to vote for, or a quote. Any valid text is a legal quote; the
legal moves offer a fixed list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.dixiquote.phases import CHOOSE, QUOTE, SUBMIT, VOTE
from games.dixiquote.position import Position

CANNED_QUOTES = (
    "Some doors only remember who walked away.",
    "What was promised outlives the one who promised.",
    "Even silence keeps an account.",
    "We called it an ending because we were tired.",
)


def pending(position: Position) -> tuple[int, ...]:
    """The seats that owe a decision: the Storyteller alone, or everybody who has yet to submit or to vote, in seat order."""
    if position.phase_id in (CHOOSE, QUOTE):
        return (position.storyteller,)
    if position.phase_id == SUBMIT:
        return tuple([seat for seat in _participants(position) if position.submitted[seat] is None])
    if position.phase_id == VOTE:
        return tuple([seat for seat in _participants(position) if position.votes[seat] is None and _can_vote(position, seat)])
    return ()


def _can_vote(position: Position, seat: int) -> bool:
    """Whether the table shows a card of another player."""
    return position.table != (position.submitted[seat],)


def _participants(position: Position) -> list[int]:
    """The seats that submit and vote."""
    blind = position.options.blind_quote
    seats = range(position.setup.players)
    return [seat for seat in seats if (blind or seat != position.storyteller) and seat not in position.skipped]


def legal_actions(position: Position, seat: int) -> Sequence[Any]:
    """The legal moves of a pending seat."""
    if position.phase_id == QUOTE:
        return CANNED_QUOTES
    if position.phase_id == VOTE:
        return tuple(card for card in position.table if card != position.submitted[seat])  # rule 5
    return position.hands[seat]
