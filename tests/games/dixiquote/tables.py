"""Positions of DixiQuote: a match brought to where a test wants it, with cards named by who played them."""

from __future__ import annotations

from typing import Any

import games
from games.core import State

GAME = games.load("dixiquote")


def begin(players: int = 4, **options: Any) -> State:
    return GAME.begin(players=players, seed=1, **options)


def play(state: State, seat: int, **answer: Any) -> State:
    """The state after a seat's answer."""
    return state.read(seat, answer).next_state


def first(state: State, seat: int) -> State:
    """The state after a seat's first legal action."""
    return state.actions_of(seat)[0].next_state


def to_quote(state: State) -> State:
    return first(state, state.pending[0])


def to_submit(state: State, quote: str = "Power need not be proven.") -> State:
    state = state if state.phase.name == "Give a Quote" else to_quote(state)
    return play(state, state.pending[0], quote=quote)


def to_vote(state: State, skipped: tuple[int, ...] = ()) -> State:
    """All have submitted, but for those skipped, who have been struck out."""
    state = to_submit(state)
    for seat in state.pending:
        state = state.strike_out(seat) if seat in skipped else first(state, seat)
    return state


def card_of(state: State, owner: int) -> str:
    """The id of the card that a seat has on the table."""
    own = state.view(owner)["own"]
    return str((own["chosen"] or own["submitted"])["id"])


def vote(state: State, votes: dict[int, int | None]) -> State:
    """Each voter votes for the card of an owner; None is struck out."""
    cards = {owner: card_of(state, owner) for owner in {*votes.values()} if owner is not None}
    for seat in state.pending:
        owner = votes[seat]
        state = state.strike_out(seat) if owner is None else play(state, seat, card=cards[owner])
    return state


def points(state: State) -> list[int]:
    """What each seat gained in the round that has just ended."""
    return list(state.view(None)["history"][-1]["points"])


def with_scores(state: State, *scores: int) -> State:
    return GAME.from_json({**state.to_json(), "scores": list(scores)})
