"""The legal moves of a seat: the one source of legality.

A move is the number of a card to choose, to submit or to vote for, or a quote. Any valid text is a legal quote; the
legal moves offer a fixed list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from games.dixiquote.phases import CHOOSE, QUOTE, SUBMIT, VOTE
from games.dixiquote.position import Position

CANNED_QUOTES = (
    "Some doors only remember who walked away.",
    "What was promised outlives the one who promised.",
    "Even silence keeps an account.",
    "We called it an ending because we were tired.",
)


def seats_to_ask(position: Position) -> tuple[int, ...]:
    """The seats that owe a decision: the Storyteller alone, or everybody who has yet to submit or to vote, in seat order."""
    phase = position.phase_id
    if phase in (CHOOSE, QUOTE):
        return (position.storyteller,)
    if phase not in (SUBMIT, VOTE):
        return ()
    storyteller = None if position.options.blind_quote else position.storyteller
    seats, submitted = _participants(position.setup.players, storyteller, position.skipped), position.submitted
    if phase == SUBMIT:
        return tuple([seat for seat in seats if submitted[seat] is None])
    votes, table = position.votes, position.table
    return tuple(
        [seat for seat in seats if votes[seat] is None and table != (submitted[seat],)]
    )  # rule 5: not for the own card


@cache
def _participants(players: int, storyteller: int | None, skipped: frozenset[int]) -> tuple[int, ...]:
    """The seats that submit and vote; `storyteller` is None when the Storyteller does so too."""
    return tuple(seat for seat in range(players) if seat != storyteller and seat not in skipped)


def legal_actions(position: Position, seat: int) -> Sequence[Any]:
    """The legal moves of a pending seat."""
    if position.phase_id == QUOTE:
        return CANNED_QUOTES
    if position.phase_id == VOTE:
        own = position.submitted[seat]
        return tuple([card for card in position.table if card != own])  # rule 5
    return position.hands[seat]
