"""Game screens: the function that draws the table of each game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from games.core import Game
from games.registry import OWN, package_of
from runner.errors import words_of
from runner.screen import plain_table
from runner.screen.palette import BAD
from runner.screen.perspective import VisibleState
from runner.screen.safe_text import clean

Draw = Callable[[VisibleState], RenderableType]


def screen_of(game: Game) -> Draw:
    """The function that draws a game's table: `table` of `runner.screen.<game>`, or of `screen` in the package that brings the
    game. A game without a screen, or with one that does not work, gets a plain table."""
    return _own(game.name) if game.name in OWN else _installed(game.name)


@cache
def _own(name: str) -> Draw:
    draw: Draw = import_module(f"runner.screen.{name}").table
    return draw


@cache
def _installed(name: str) -> Draw:
    try:
        return InstalledScreen(installed_screen(name) or plain_table.table)
    except Exception as error:
        return _noted(error)


def shown_by_table(game: Game) -> frozenset[str]:
    """The kinds of events that a game's table shows, so that a story beside it need not tell them."""
    found: frozenset[str] = getattr(_module(game.name), "SHOWN_BY_TABLE", frozenset())
    return found


def reference_of(game: Game, seen: VisibleState) -> RenderableType | None:
    """What a newcomer has to know of a game, to be shown below its table; None where its screen has nothing."""
    draw: Draw | None = getattr(_module(game.name), "reference", None)
    return None if draw is None else draw(seen)


def _module(name: str) -> object:
    """The screen module of a game of the tree; None for other games."""
    return import_module(f"runner.screen.{name}") if name in OWN else None


def installed_screen(name: str) -> Draw | None:
    """The function of a package's own screen, None for a package without one. Whatever its code raises is raised."""
    package = package_of(name)
    if package is None or find_spec(f"{package}.screen") is None:
        return None
    draw: Draw = import_module(f"{package}.screen").table
    return draw


class InstalledScreen:
    """The screen of a package. A table that it cannot draw is a plain one with a note."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def __call__(self, seen: VisibleState) -> RenderableType:
        """The table."""
        try:
            return _Guarded(seen, self._draw(seen))
        except Exception as error:
            return _noted(error)(seen)


class _Guarded:
    """A renderable of a package: Rich runs its code only when it is printed."""

    def __init__(self, seen: VisibleState, drawn: RenderableType) -> None:
        self._seen = seen
        self._drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        try:
            yield from list(console.render(self._drawn, options))
        except Exception as error:
            yield _noted(error)(self._seen)


def _noted(error: Exception) -> Draw:
    note = Text(clean(f"The game's own screen does not work: {words_of(error)}. `tabletop doctor` shows where."), style=BAD)
    return lambda seen: Group(plain_table.table(seen), note)
