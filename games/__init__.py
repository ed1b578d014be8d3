"""The games: rules only. `names()` lists them and `load(name)` gives one."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from games.core import Game
from games.core.errors import OptionError
from games.core.wording import listed, quoted

_OWN = ("cat_in_the_box", "coup", "dixiquote", "oriflamme")
_GROUP = "tabletop.games"


def names() -> tuple[str, ...]:
    """The names of all games, our own and those installed under the entry-point group `tabletop.games`, sorted."""
    return tuple(sorted({*_OWN, *(entry.name for entry in entry_points(group=_GROUP))}))


@cache
def load(name: str) -> Game:
    """The game of that name. OptionError when there is none."""
    if name in _OWN:
        found = import_module(f"games.{name}").GAME
    else:
        entry = next((entry for entry in entry_points(group=_GROUP) if entry.name == name), None)
        if entry is None:
            raise OptionError(f"There is no game {quoted(name)}: the games are {listed(names())}.")
        found = entry.load()
    if not isinstance(found, Game):
        raise OptionError(f"The entry point of the game {quoted(name)} gives a {type(found).__name__}, not a Game.")
    return found
