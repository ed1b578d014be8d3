"""Games of OpenSpiel (https://openspiel.readthedocs.io), each as one of ours: `openspiel:leduc_poker`.

Needs the extra `openspiel`, which is imported when a game is loaded.
"""

from __future__ import annotations

from games.core import Game, OptionError

PREFIX = "openspiel:"


def load(name: str) -> Game:
    """The game of a name with the prefix. OptionError for one that OpenSpiel does not have or that cannot be played here."""
    try:
        from games.openspiel.loading import game_of
    except ImportError as error:
        raise OptionError(f"{name} needs OpenSpiel: `pip install 'tabletop-runner[openspiel]'`.") from error
    return game_of(name.removeprefix(PREFIX), name)
