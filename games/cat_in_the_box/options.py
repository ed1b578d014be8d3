"""The options and presets, and the rules of a match that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from games import core
from games.cat_in_the_box.board import ALL_CELLS, COLUMN_OF, RED
from games.cat_in_the_box.cards import deck_of
from games.core import option

REVEALED = 3
"""How many left-over cards are turned up in a match of two (rule 19)."""

_RANKS = {2: 5, 4: 8, 5: 9}
_DEALT = {2: 10, 3: 10, 4: 10, 5: 9}
_BOARD_BIDS = {3: (1, 3, 4), 4: (1, 2, 3), 5: (1, 2, 3)}
_HOUSE_BIDS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Options(core.Options):
    """The options of Cat in the Box; RULES.md gives the reason for each default."""

    follow: str = option(
        "free",
        "whether leaving the led colour is free, at the price of its X-token, or only for those who cannot follow",
        choices=("free", "must"),
    )
    bids: str = option(
        "1-4", "the bids there are: 1 to 4 for everybody, or those of the player boards", choices=("1-4", "board")
    )
    three_player_max_rank: int = option(6, "the highest rank in a three-player deck", choices=(6, 7))
    rounds: int | str = option(
        1,
        "how many rounds a match has; `players`: one for each player",
        choices=("players",),
        minimum=1,
        maximum=100,
    )
    red_lead: str = option(
        "until_broken",
        "when red may be led: once a player's token lies in the red row, or freely",
        choices=("until_broken", "free"),
    )
    two_player: str = option("official", "the rules for two players", choices=("official",))
    explicit_paradox_action: bool = option(False, "whether a player without a legal play answers `paradox` instead of nothing")


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "house": {},
    "official": {"bids": "board", "rounds": "players"},
}


def cautions(players: int, options: Options) -> tuple[str, ...]:
    """Warnings about options that have no effect."""
    if options.three_player_max_rank != 6 and players != 3:
        return (f"three_player_max_rank has no effect with {players} players.",)
    return ()


class MatchRules:
    """The rules as a number of players and options fix them; one object for each, so that equality is identity."""

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

    def __init__(self, players: int, options: Options) -> None:
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
        return match_rules, (self.players, self.options)


@cache
def match_rules(players: int, options: Options) -> MatchRules:
    """The rules for a number of players and options."""
    return MatchRules(players, options)
