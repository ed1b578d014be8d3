"""What the table of another package brings: kinds of events that it shows, and the rules in short."""

from __future__ import annotations

from pathlib import Path

import games
from games.scenes import scene_of, shown_by_table
from runner.film.perspective import Perspective
from runner.screen.scene_rich import rules_of
from runner.workshop.new_pack import start_game
from tests.packaging.installed import on_path, write_package
from tests.screen.drawing import drawn

BARE = """
from games.core.scene import Scene
SHOWN = ()
def table(view, own, names): return Scene(names, ())
"""


def told(tmp_path: Path, table: str = "") -> tuple[frozenset[str], str]:
    """The kinds of events and the rules of the game of `tabletop new-game`, with another table if one is given."""
    start_game(tmp_path / "package", "other")
    (tmp_path / "package" / "other").rename(tmp_path / "other")
    write_package(tmp_path, "other", (tmp_path / "other" / "__init__.py").read_text(encoding="utf-8"), table=table)
    with on_path(tmp_path):
        state = games.load("other").begin(2, 1)
        found = rules_of(scene_of(state.game, Perspective().visible(state, ("a", "b"))))
        return shown_by_table(state.game), " ".join(drawn(found, 80).split())


def test_a_package_names_what_its_table_shows_and_brings_its_rules_in_short(tmp_path: Path) -> None:
    kinds, reference = told(tmp_path)
    assert kinds == {"choice"}
    assert reference == "All play a card at the same time. The highest card takes the trick."


def test_a_package_may_bring_neither(tmp_path: Path) -> None:
    assert told(tmp_path, BARE) == (frozenset(), "")


def test_a_module_that_fails_shows_no_kinds(tmp_path: Path) -> None:
    assert told(tmp_path, "raise ImportError") == (frozenset(), "")
