"""The winner of a trick, the points of a round, and the winners of the match."""

from __future__ import annotations

from games.cat_in_the_box.board import RED, ROW_OF, largest_group, mask_of
from games.cat_in_the_box.position import Position, Result

TWO_PLAYER_BONUS_UP_TO = 4
"""The most tricks with which a player of two earns the bonus (rule 19)."""


def winning_place(trick: tuple[int, ...]) -> int:
    """The index in the trick of the cell that wins it: the highest red, or else the highest of the led colour (rule 13)."""
    best = max(trick)
    if not 1 << best & RED:
        best = (mask_of(trick) & ROW_OF[trick[0]]).bit_length() - 1
    return trick.index(best)


def winning_seat(trick: tuple[int, ...], leader: int, players: int) -> int:
    """The seat that wins a trick (or is winning it so far), given the seat that led it."""
    return (leader + winning_place(trick)) % players


def result_of(position: Position) -> Result:
    """The finished round of a position, with the points of each seat."""
    context = position.context
    bonuses = [_bonus(position, seat) for seat in context.rules.seats]
    points = list(position.tricks_won)
    shown = 0
    if context.paradox is not None:
        shown = position.hands[context.paradox]
        bonuses[context.paradox] = 0  # rule 17
        points[context.paradox] *= -1  # rule 16
    for penalty in context.penalties:
        points[penalty.seat] -= 1
    return Result(
        position.bids,
        position.tricks_won,
        position.tokens,
        context.revealed,
        position.plays,
        context.paradox,
        shown,
        context.penalties,
        tuple(bonuses),
        tuple([won + bonus for won, bonus in zip(points, bonuses, strict=True)]),
    )


def _bonus(position: Position, seat: int) -> int:
    """The size of the largest group if the seat earned it, outside a paradox (rules 17 and 19)."""
    won = position.tricks_won[seat]
    earned = won <= TWO_PLAYER_BONUS_UP_TO if position.rules.two_player else won == position.bids[seat]
    return largest_group(position.tokens[seat]).bit_count() if earned else 0


def leaders(totals: tuple[int, ...], last_points: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with the highest total; of those the ones that did best in the last round (rule 18)."""
    both = tuple(zip(totals, last_points, strict=True))
    return tuple(seat for seat, rank in enumerate(both) if rank == max(both))


def winners(position: Position) -> tuple[int, ...]:
    """Every seat that shares the win; empty before the end."""
    return () if position.pending else leaders(position.scores, position.context.results[-1].points)
