"""Who wins a trick, what a round is worth, and who wins the match."""

from __future__ import annotations

from games.cat_in_the_box.board import RED, ROW_OF, largest_group, mask_of
from games.cat_in_the_box.rounds import Result, Round
from games.cat_in_the_box.table import TWO_PLAYER_BONUS_UP_TO, Table


def winning_place(trick: tuple[int, ...]) -> int:
    """The place in the trick of the cell that wins it: the highest red, or else the highest of the led colour (rule 13)."""
    best = max(trick)
    if not 1 << best & RED:
        best = (mask_of(trick) & ROW_OF[trick[0]]).bit_length() - 1
    return trick.index(best)


def winning_seat(trick: tuple[int, ...], leader: int) -> int:
    """The seat that wins a trick which that leader led."""
    return (leader + winning_place(trick)) % len(trick)


def result_of(
    frame: Round,
    bids: tuple[int, ...],
    tricks_won: tuple[int, ...],
    tokens: tuple[int, ...],
    plays: tuple[int, ...],
    shown: int,
) -> Result:
    """What a round that is over is worth to each seat."""
    bonuses = [_bonus(frame.table, *facts) for facts in zip(bids, tricks_won, tokens, strict=True)]
    points = list(tricks_won)
    if frame.paradox is not None:
        bonuses[frame.paradox] = 0  # rule 17
        points[frame.paradox] *= -1  # rule 16
    for penalty in frame.penalties:
        points[penalty.seat] -= 1
    totals = tuple([won + more for won, more in zip(points, bonuses, strict=True)])
    return Result(
        bids, tricks_won, tokens, frame.revealed, plays, frame.paradox, shown, frame.penalties, tuple(bonuses), totals
    )


def _bonus(table: Table, bid: int, won: int, tokens: int) -> int:
    """What the largest group is worth to a player who is in no paradox (rule 17; rule 19)."""
    earned = won <= TWO_PLAYER_BONUS_UP_TO if table.two_player else won == bid
    return largest_group(tokens).bit_count() if earned else 0


def leaders(totals: tuple[int, ...], last_points: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with the highest total; of those the ones that did best in the last round (rule 18)."""
    both = tuple(zip(totals, last_points, strict=True))
    return tuple(seat for seat, rank in enumerate(both) if rank == max(both))
