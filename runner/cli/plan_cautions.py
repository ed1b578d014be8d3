"""Plan cautions: what the games of a tournament say of their settings, such as a target out of reach or unequal seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import games

if TYPE_CHECKING:
    from runner.arena.plan import Plan


def plan_cautions(plan: Plan) -> Iterator[str]:
    """The notes on the matches of a plan, by game and number of players."""
    for entry in plan.games:
        game = games.load(entry.game)
        for players in entry.players:
            setup = game.set_up(players, plan.seed, entry.rules, entry.options)
            for caution in game.cautions(players, setup.options):
                yield f"{game.name} with {players} players: {caution}"
