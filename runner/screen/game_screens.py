"""Game screens: the function that draws the table of each game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from rich.console import RenderableType

from games.core import Game
from runner.errors import UsageError
from runner.screen.perspective import VisibleState

Draw = Callable[[VisibleState], RenderableType]
_GROUP = "tabletop.screens"


def screen_of(game: Game) -> Draw:
    """The function that draws a game's table: that of an installed package, else `table` of `runner.screen.<game>`."""
    return _screen(game.name, game.title)


@cache
def _screen(name: str, title: str) -> Draw:
    for entry in entry_points(group=_GROUP):
        if entry.name == name:
            installed: Draw = entry.load()
            return installed
    try:
        module = import_module(f"runner.screen.{name}")
    except ModuleNotFoundError as error:
        raise UsageError(f"No screen is installed for {title}.") from error
    own: Draw = module.table
    return own
