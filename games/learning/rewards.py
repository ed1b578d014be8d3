"""Rewards at the end of a match."""

from __future__ import annotations

from games.core import State


def rewards(state: State) -> tuple[float, ...]:
    """The reward of each seat: winners share the stakes of all players, everyone else loses theirs. 0 before the end.

    A winner gets players / winners - 1 and everyone else -1, so that the rewards of a match sum to 0.
    """
    players: int = state.setup.players
    winners = state.winners
    if not winners:
        return (0.0,) * players
    return tuple(players / len(winners) - 1 if seat in winners else -1.0 for seat in range(players))
