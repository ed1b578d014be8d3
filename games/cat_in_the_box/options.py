"""What a match can be told, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core import Options, option


@dataclass(frozen=True, slots=True)
class CatOptions(Options):
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


def cautions(players: int, options: CatOptions) -> tuple[str, ...]:
    """What was set without effect."""
    if options.three_player_max_rank != 6 and players != 3:
        return (f"three_player_max_rank has no effect with {players} players.",)
    return ()
