"""Matches between bots, played to see what a match consists of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.core import Rng, State

LETTERS_A_TOKEN = 4.0
"""A rough figure for English text."""

_MOST_STEPS = 5000


class Asked(NamedTuple):
    """A state of a match, and the seats that would be asked in it at the same time: those with a choice."""

    state: State
    seats: tuple[int, ...]


def asked_in(state: State) -> Iterator[Asked]:
    """Play a match between the game's best bots: every state in which anybody has to be asked, in order."""
    for number in range(_MOST_STEPS):
        if state.has_ended:
            return
        if seats := tuple(seat for seat in state.pending if len(state.actions_of(seat)) > 1):
            yield Asked(state, seats)
        state = _next(state, number)


def _next(state: State, number: int) -> State:
    bot = list(state.game.bots.values())[-1]
    phase = state.phase_id
    for seat in state.pending:
        if seat in state.pending and state.phase_id == phase:
            answers = [action.to_json() for action in state.actions_of(seat)]
            state = state.read(seat, bot(state.view(seat), answers, Rng.of("estimate", number, seat))).next_state
    return state
