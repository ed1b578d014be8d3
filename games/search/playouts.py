"""Playouts: a state played to the end by a policy."""

from __future__ import annotations

from typing import NamedTuple

from games.core import Policy, Rng, State
from games.core.policy import stepping

Shares = tuple[float, ...]
"""For each seat its share of the win: 1 divided by the number of winners for each of them, 0 for the others."""


LONGEST = 1_000
"""Steps, of one or several decisions, after which a playout is stopped."""


_NEVER = 1 << 60


class Playout(NamedTuple):
    """How a playout ended: the shares of the win, after how many steps, and whether it was stopped before the end."""

    shares: Shares
    length: int
    is_cut: bool = False


def play_out(state: State, policy: Policy, rng: Rng, end: int = _NEVER) -> Playout:
    """The end that a state comes to when every seat follows the policy; the worth of the state after `LONGEST` steps, and at
    the start of the round `end`.

    Each round has random numbers of its own. So playouts of two candidates in one world, which draw different amounts, stay
    alike for longer, and their difference varies less.
    """
    word, length, last = rng.next(), 0, state.round - 1
    step = stepping(policy)
    while state.pending:
        if length == LONGEST:
            return Playout(_worth(state), length, True)
        if state.round != last:
            last = state.round
            if last >= end:
                return Playout(_worth(state), length)
            rng = Rng(Rng(word + last).next())
        state = step(state, rng)
        length += 1
    return Playout(shares_of(state), length)


def look_ahead(state: State, policy: Policy, rng: Rng, since: State | None = None) -> Playout:
    """A playout as search and reviews make it: as many rounds as the game looks ahead (`Game.horizon`), counted from the
    decision in question (None: from this state)."""
    horizon, begin = state.game.horizon, since or state
    rounds = None if horizon is None else horizon(begin)
    return play_out(state, policy, rng, _NEVER if rounds is None else begin.round + rounds)


def _worth(state: State) -> Shares:
    """The shares that the game expects; equal ones for a game that gives no value."""
    players, value = state.setup.players, state.game.value
    return (1 / players,) * players if value is None else tuple(value(state, seat) for seat in range(players))


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
