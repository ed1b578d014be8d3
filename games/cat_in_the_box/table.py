"""What the number of players and the options fix for a whole match."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from games.cat_in_the_box.board import ALL_CELLS, BLUE, COLUMN_OF, GREEN, RED, YELLOW
from games.cat_in_the_box.cards import deck_of
from games.cat_in_the_box.options import CatOptions

_RANKS = {2: 5, 4: 8, 5: 9}
_DEALT = {2: 10, 3: 10, 4: 10, 5: 9}
_BOARD_BIDS = {3: (1, 3, 4), 4: (1, 2, 3), 5: (1, 2, 3)}
_HOUSE_BIDS = (1, 2, 3, 4)
REVEALED = 3
TWO_PLAYER_BONUS_UP_TO = 4


class Table:
    """The rules worked out for one table; there is one object for each, so that being equal is being the same."""

    __slots__ = (
        "alone",
        "bids",
        "board",
        "clear_red",
        "dealt",
        "deck",
        "explicit_paradox",
        "must_follow",
        "options",
        "players",
        "ranks",
        "red_waits",
        "rounds",
        "seats",
        "two_player",
    )

    def __init__(self, players: int, options: CatOptions) -> None:
        self.players = players
        self.options = options
        self.seats = tuple(range(players))
        self.alone = tuple((seat,) for seat in self.seats)
        self.two_player = players == 2
        seven = players == 3 and options.three_player_max_rank == 7
        self.ranks = options.three_player_max_rank if players == 3 else _RANKS[players]  # rule 1
        self.dealt = 11 if seven else _DEALT[players]  # rule 2
        self.deck = deck_of(self.ranks)
        self.bids = () if self.two_player else _BOARD_BIDS[players] if options.bids == "board" else _HOUSE_BIDS  # rule 7
        self.rounds = players if isinstance(options.rounds, str) else options.rounds  # rule 18
        self.must_follow = options.follow == "must"
        self.red_waits = options.red_lead == "until_broken"
        self.explicit_paradox = options.explicit_paradox_action
        self.board = ALL_CELLS & sum(COLUMN_OF[1 : self.ranks + 1])
        self.clear_red = self.board & RED

    @property
    def tricks(self) -> int:
        """The tricks of a round without a paradox: one card is discarded and one stays in hand (rule 14)."""
        return self.dealt - 2

    def __reduce__(self) -> tuple[Any, ...]:
        return table_of, (self.players, self.options)


@cache
def table_of(players: int, options: CatOptions) -> Table:
    """The table of so many players and these options."""
    return Table(players, options)


def neutral_cells(revealed: Iterable[int]) -> int:
    """The cells of the neutral tokens: green for a rank turned up once, yellow as well for a second, blue for a third."""
    mask = 0
    for rank in revealed:  # rule 19
        column = COLUMN_OF[rank] & ~mask
        mask |= column & GREEN or column & YELLOW or column & BLUE
    return mask
