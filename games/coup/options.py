"""The options of a match of Coup, and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games import core
from games.core import option


@dataclass(frozen=True, slots=True)
class Options(core.Options):
    """The options of Coup; RULES.md gives the reasons for the defaults."""

    proof_swap: str = option(
        "draw_then_return",
        "how a proven card is replaced: the new card is drawn first, or the proven card is shuffled in first",
        choices=("draw_then_return", "return_shuffle_draw"),
    )
    refund_on_challenge: bool = option(True, "whether the coins for an assassination are paid back when its claim is false")
    steal_from_exiled: bool = option(True, "whether Steal still takes the coins of a target that went out in the same turn")
    steal_requires_coins: bool = option(False, "whether a target of Steal must have a coin")
    may_concede: bool = option(False, "whether a challenged player who has the card may decline to show it")
    two_player_start_coin: int = option(1, "the coins of the starting player with two players", minimum=1, maximum=2)
    max_turns: int | None = option(
        None, "the turn after which the match ends in a draw of all players still in", choices=(None,), minimum=1
    )
    block_challenge_order: str = option(
        "from_blocker", "where the clockwise order of challenges to a block starts", choices=("from_blocker", "from_actor")
    )
    draft: bool = option(False, "whether two players each choose one of their two cards")


PRESETS: dict[str, dict[str, Any]] = {"house": {}, "official": {"proof_swap": "return_shuffle_draw"}}


def cautions(players: int, options: Options) -> tuple[str, ...]:
    """The settings that have no effect at this player count."""
    unused = []
    if players != 2 and options.draft:
        unused.append(f"The draft is for two players: with {players} all cards are dealt.")
    if players != 2 and options.two_player_start_coin != 1:
        unused.append(f"two_player_start_coin is for two players: with {players} everybody starts with 2 coins.")
    return tuple(unused)
