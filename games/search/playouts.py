"""Playouts: a state played to the end by a policy."""

from __future__ import annotations

from games.core import Policy, Rng, State

Shares = tuple[float, ...]
"""For each seat its share of the win: 1 divided by the number of winners for each of them, 0 for the others."""


def play_out(state: State, policy: Policy, rng: Rng) -> Shares:
    """The shares of the win after every seat has followed the policy to the end."""
    while pending := state.pending:
        state = policy(state, pending[0], rng).next_state
    return shares_of(state)


def shares_of(state: State) -> Shares:
    """The shares of the win in a match that has ended."""
    winners = state.winners
    return tuple([1 / len(winners) if seat in winners else 0.0 for seat in range(state.setup.players)])


def reach(state: State, seat: int, policy: Policy, rng: Rng) -> tuple[State, bool]:
    """The state in which a pending seat's answer is applied, after the policy has answered for the seats before it.

    The second value is False where one of those answers ends the phase, so that the seat's answer is moot.
    """
    while (first := state.pending[0]) != seat:
        waiting, phase = state.pending[1:], state.phase_id
        state = policy(state, first, rng).next_state
        if state.pending != waiting or state.phase_id != phase:
            return state, False
    return state, True
