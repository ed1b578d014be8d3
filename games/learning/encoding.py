"""The encoding of a game for a number of players and options."""

from __future__ import annotations

from typing import Any

import games
from games.core import Encoding, OptionError


def encoding(name: str, players: int | None = None, rules: str | None = None, **options: Any) -> Encoding:
    """The encoding of a game's matches that `Game.begin` opens with the same arguments.

    OptionError for an unknown game, player count, preset or option, and for a game without an encoding.
    """
    game = games.load(name)
    setup = game.set_up(players, 0, rules, options)
    if game.encoding is None:
        raise OptionError(f"{game.title} has no encoding for learners.")
    return game.encoding(setup.players, setup.options)
