"""Winners and the reason for the end (rule 31)."""

from __future__ import annotations

from games.core import seat_names
from games.oriflamme.position import ROUNDS, Position


def winners(position: Position) -> tuple[int, ...]:
    """The seats with the most points; of these, those with the most cards in the queue. None before the end."""
    if not position.has_ended:
        return ()
    ranks = list(zip(position.scores, position.in_queue, strict=True))
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))


def ending(position: Position) -> tuple[str, ...]:
    """Why the match ended, in words; empty before the end."""
    if not position.has_ended:
        return ()
    best, won = max(position.scores), winners(position)
    leaders = [seat for seat, score in enumerate(position.scores) if score == best]
    over = f"round {position.round} of {ROUNDS} is over"
    if len(leaders) == 1:
        return over, f"{seat_names(leaders)} has the most points, {best}"
    most = f"{seat_names(won)} {'has' if len(won) == 1 else 'have'} the most cards in the queue"
    return over, f"{seat_names(leaders)} tie at {best} points, of them {most}"
