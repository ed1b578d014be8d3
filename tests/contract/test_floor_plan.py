"""Every game has the same modules, so that whoever knows one game's folder knows them all."""

from __future__ import annotations

from importlib.resources import files

import pytest

import games
from tools import import_graph

MODULES = (
    *("__init__", "options", "phases", "cards", "position", "actions", "transitions", "events", "view", "questions"),
    *("resample", "bots", "encoding", "measures", "remarks", "recap", "state", "table"),
)
each_game = pytest.mark.parametrize("name", games.names())


@each_game
def test_a_game_has_every_module_of_the_floor_plan(name: str) -> None:
    folder = files(f"games.{name}")
    missing = [m for m in MODULES if not any(folder.joinpath(*at).is_file() for at in ((f"{m}.py",), (m, "__init__.py")))]
    assert missing == []
    assert folder.joinpath("RULES.md").is_file()


@each_game
def test_only_the_package_of_a_game_imports_its_state(name: str) -> None:
    package = f"games.{name}"
    naming = [name for name, path in import_graph.modules().items() if package in path.read_text(encoding="utf-8")]
    importers = {name for name in naming if f"{package}.state" in import_graph.targets(import_graph.modules()[name])}
    assert importers <= {package}


@each_game
def test_a_game_has_an_encoding_for_learners(name: str) -> None:
    assert games.load(name).encoding is not None
