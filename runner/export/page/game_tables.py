"""Game tables: the functions that draw the table of each game on a web page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple

from games.core import Game, View
from games.registry import OWN, package_of
from runner.errors import words_of
from runner.export.page import plain_page_table
from runner.export.page.element import Element, el
from runner.screen.perspective import VisibleState

Draw = Callable[[VisibleState], Element]
Line = Callable[[View], Sequence[float]]


class GameTable(NamedTuple):
    """How a game is drawn: its table, and a number of each seat in a public view for the chart, with its name."""

    table: Draw
    chart: Line | None = None
    chart_name: str = ""


def table_of(game: Game) -> GameTable:
    """The drawing of a game: the module `runner.export.<game>_page`, or `page` in the package that brings the game, with a
    function `table` and perhaps `chart` and the text `CHART`. A game without one, or with one that does not work, gets a
    plain table."""
    return _own(game.name) if game.name in OWN else _installed(game.name)


@cache
def _own(name: str) -> GameTable:
    return _of(import_module(f"runner.export.{name}_page"))


def _of(module: ModuleType) -> GameTable:
    return GameTable(module.table, getattr(module, "chart", None), getattr(module, "CHART", ""))


@cache
def _installed(name: str) -> GameTable:
    try:
        found = installed_page(name)
    except Exception as error:
        return GameTable(_noted(error))
    if found is None:
        return GameTable(plain_page_table.table)
    return found._replace(table=_guarded(found.table), chart=found.chart and _guarded_chart(found.chart))


def installed_page(name: str) -> GameTable | None:
    """The drawing of a package's own page, None for a package without one. Whatever its code raises is raised."""
    package = package_of(name)
    if package is None or find_spec(f"{package}.page") is None:
        return None
    return _of(import_module(f"{package}.page"))


def _guarded(draw: Draw) -> Draw:
    """The table of a package; a plain one with a note where its code raises."""

    def table(seen: VisibleState) -> Element:
        try:
            return draw(seen)
        except Exception as error:
            return _noted(error)(seen)

    return table


def _guarded_chart(chart: Line) -> Line:
    def line(view: View) -> Sequence[float]:
        try:
            return [float(value) for value in chart(view)]
        except Exception:
            return ()

    return line


def _noted(error: Exception) -> Draw:
    note = el("p.note", f"The game's own page does not work: {words_of(error)}. `tabletop doctor` shows where.")
    return lambda seen: el("div", plain_page_table.table(seen), note)
