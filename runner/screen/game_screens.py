"""Which module draws which game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from rich.console import RenderableType

from games.core import Game
from runner.errors import UsageError
from runner.screen.scene import Scene

Draw = Callable[[Scene], RenderableType]
_GROUP = "tabletop.screens"


def drawing_of(game: Game) -> Draw:
    """The function that draws the game's table: `table` of `runner.screen.<game>`, or of an installed screen."""
    return _drawing(game.name, game.title)


@cache
def _drawing(name: str, title: str) -> Draw:
    for entry in entry_points(group=_GROUP):
        if entry.name == name:
            installed: Draw = entry.load()
            return installed
    try:
        module = import_module(f"runner.screen.{name}")
    except ModuleNotFoundError as error:
        raise UsageError(f"Nothing is installed that draws {title} on screen.") from error
    own: Draw = module.table
    return own
