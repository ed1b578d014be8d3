"""Game screens: the function that draws the table of each game."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

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
    found = getattr(_module(game.name), "SHOWN_BY_TABLE", None)
    return frozenset(found) if isinstance(found, Set) else frozenset()


def reference_of(game: Game, seen: VisibleState) -> RenderableType | None:
    """What a newcomer has to know of a game, to be shown below its table; None where its screen has nothing."""
    draw: Draw | None = getattr(_module(game.name), "reference", None)
    if draw is None or game.name in OWN:
        return None if draw is None else draw(seen)
    try:
        return _Guarded(draw(seen), _note)
    except Exception as error:
        return _note(error)


@cache
def _module(name: str) -> ModuleType | None:
    """The screen module of a game; None for a game without one, or with one that does not work."""
    try:
        return import_module(f"runner.screen.{name}") if name in OWN else _installed_module(name)
    except Exception:
        if name in OWN:
            raise
        return None


def installed_screen(name: str) -> Draw | None:
    """The function of a package's own screen, None for a package without one. Whatever its code raises is raised."""
    module = _installed_module(name)
    draw: Draw | None = None if module is None else module.table
    return draw


def _installed_module(name: str) -> ModuleType | None:
    package = package_of(name)
    if package is None or find_spec(f"{package}.screen") is None:
        return None
    return import_module(f"{package}.screen")


class InstalledScreen:
    """The screen of a package. A table that it cannot draw is a plain one with a note."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def __call__(self, seen: VisibleState) -> RenderableType:
        """The table."""
        try:
            return _Guarded(self._draw(seen), lambda error: _noted(error)(seen))
        except Exception as error:
            return _noted(error)(seen)


class _Guarded:
    """A renderable of a package: Rich runs its code only when it is printed. `instead` replaces it where that fails."""

    def __init__(self, drawn: RenderableType, instead: Callable[[Exception], RenderableType]) -> None:
        self._drawn = drawn
        self._instead = instead

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        try:
            yield from list(console.render(self._drawn, options))
        except Exception as error:
            yield self._instead(error)


def _noted(error: Exception) -> Draw:
    return lambda seen: Group(plain_table.table(seen), _note(error))


def _note(error: Exception) -> Text:
    return Text(clean(f"The game's own screen does not work: {words_of(error)}. `tabletop doctor` shows where."), style=BAD)
