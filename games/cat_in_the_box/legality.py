"""Which cells a player may declare: the one source for validator, schema, prompt, bots and menu."""

from __future__ import annotations

from games.cat_in_the_box.board import CELLS_OF, NOT_RED, PATTERN, RED
from games.cat_in_the_box.table import Table

PARADOX_MOVE = -1
"""The one move of a player in a paradox, where that is to be answered (explicit_paradox_action)."""


def open_cells(hand: int, x_rows: int, free: int) -> int:
    """The free cells for a card of the hand in a colour the player still has the X-token of (rule 9)."""
    return CELLS_OF[hand >> 1 & PATTERN] & x_rows & free


def red_is_broken(table: Table, free: int) -> bool:
    """Whether some player's token lies in the red row; neutral tokens never do (rules 10 and 19)."""
    return free & RED != table.clear_red


def playable_cells(table: Table, hand: int, x_rows: int, free: int, led: int) -> int:
    """The legal plays of a player: `led` is the row of the led colour, 0 for the leader. None of them is a paradox."""
    cells = open_cells(hand, x_rows, free)
    if led:  # rule 11
        return cells & led or cells if table.must_follow else cells
    if table.red_waits and not red_is_broken(table, free):  # rule 10
        return cells & NOT_RED or cells
    return cells
