"""The legal moves of a seat: the one source of legality.

A move is a rank to discard, a number of tricks to bid, a cell to declare, or PARADOX_MOVE.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.cat_in_the_box.board import CELLS_OF, COLOURS, NOT_RED, PATTERN, RANKS_OF, RED, cells, colours_of, ranks_in
from games.cat_in_the_box.options import MatchRules
from games.cat_in_the_box.phases import BID, DISCARD, PLAY
from games.cat_in_the_box.position import P, Position

PARADOX_MOVE = -1
"""The one move of a player in a paradox, where that is to be answered (explicit_paradox_action)."""

_PARADOX_MOVES = (PARADOX_MOVE,)


def legal_actions(position: Position, seat: int) -> Sequence[int]:
    """The legal moves of a pending seat."""
    phase = position.phase_id
    if phase == PLAY:
        return cells(position.playable)
    if phase == DISCARD:
        return RANKS_OF[position.hands[seat] >> 1 & PATTERN]
    return position.rules.bids if phase == BID else _PARADOX_MOVES


def playable_cells(rules: MatchRules, hand: int, x_rows: int, free: int, led: int) -> int:
    """The cells a player may declare: `led` is the row of the led colour, 0 for the leader. No cell means a paradox."""
    open_now = open_cells(hand, x_rows, free)
    if led:  # rule 11
        return open_now & led or open_now if rules.must_follow else open_now
    if rules.red_waits and not red_is_broken(rules, free):  # rule 10
        return open_now & NOT_RED or open_now
    return open_now


def with_playable(position: P) -> P:
    """The position with the playable cells of the seat to play worked out."""
    if position.phase_id != PLAY:
        return position._replace(playable=0)
    seat = position.pending[0]
    hand, x_rows = position.hands[seat], position.x_tokens[seat]
    return position._replace(playable=playable_cells(position.rules, hand, x_rows, position.free, position.led))


def open_cells(hand: int, x_rows: int, free: int) -> int:
    """The free cells for a card of the hand in a colour the player still has the X-token of (rule 9)."""
    return CELLS_OF[hand >> 1 & PATTERN] & x_rows & free


def red_is_broken(rules: MatchRules, free: int) -> bool:
    """Whether some player's token lies in the red row; neutral tokens never do (rules 10 and 19)."""
    return free & RED != rules.clear_red


def given_up(position: Position, seat: int, cell: int) -> str | None:
    """The colour whose X-token the play of a cell costs that seat, if any (rule 11)."""
    lost = position.led & position.x_tokens[seat]
    if not lost or lost >> cell & 1:
        return None
    return colours_of(lost)[0]


def declarable_ranks(position: Position, seat: int) -> dict[str, list[int]]:
    """For each colour the ranks of the hand that could be declared in it now, whoever leads."""
    open_now = open_cells(position.hands[seat], position.x_tokens[seat], position.free)
    return {colour: list(ranks_in(open_now, colour)) for colour in COLOURS}
