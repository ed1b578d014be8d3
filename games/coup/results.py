"""Results: the survivors, the winners, and the reason for the end."""

from __future__ import annotations

from games.coup.position import Position


def survivors(position: Position) -> tuple[int, ...]:
    """The seats with influence left."""
    return tuple(seat for seat in range(position.setup.players) if position.living >> seat & 1)


def winners(position: Position) -> tuple[int, ...]:
    """The last living player, or after a draw every living one; empty before the end."""
    return () if position.pending else survivors(position)


def scores(position: Position) -> tuple[int, ...]:
    """1 for each winner and 0 for the others; 0 for all before the end."""
    won = winners(position)
    return tuple(int(seat in won) for seat in range(position.setup.players))


def ending(position: Position) -> tuple[str, ...]:
    """Why the match ended, in words; empty before the end."""
    won = winners(position)
    if len(won) == 1:
        return ("nobody else has influence left",)
    return (f"the limit of {position.round} turns is reached",) if won else ()
