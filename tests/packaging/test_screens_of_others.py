"""What the screen of another package brings beside its table: kinds of events that the table shows, and a reference."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from runner.screen.game_screens import reference_of, shown_by_table
from runner.screen.perspective import Perspective
from runner.workshop.new_game import start_game
from tests.packaging.installed import on_path, write_package
from tests.screen.drawing import drawn

NOTE = "The game's own screen does not work: ValueError: no paint"
FAILING = """
class No:
    def __rich__(self): raise ValueError("no paint")
def table(seen): return ""
def reference(seen): """


def told(tmp_path: Path, screen: str = "") -> tuple[frozenset[str], str | None]:
    """The kinds of events and the reference of the game of `tabletop new-game`, with another screen if one is given."""
    start_game(tmp_path / "package", "other")
    (tmp_path / "package" / "other").rename(tmp_path / "other")
    write_package(tmp_path, "other", (tmp_path / "other" / "__init__.py").read_text(encoding="utf-8"), screen=screen)
    with on_path(tmp_path):
        state = games.load("other").begin(2, 1)
        found = reference_of(state.game, Perspective().visible(state, ("a", "b")))
        return shown_by_table(state.game), None if found is None else " ".join(drawn(found, 80).split())


def test_a_package_names_what_its_table_shows_and_brings_its_rules_in_short(tmp_path: Path) -> None:
    kinds, reference = told(tmp_path)
    assert kinds == {"choice"}
    assert reference == "All play a card at the same time. The highest card takes the trick."


def test_a_package_may_bring_neither(tmp_path: Path) -> None:
    assert told(tmp_path, "def table(seen): return ''") == (frozenset(), None)


@pytest.mark.parametrize("reference", ["No()", "No().__rich__()"])
def test_a_reference_that_fails_becomes_a_note(reference: str, tmp_path: Path) -> None:
    kinds, found = told(tmp_path, f"SHOWN_BY_TABLE = 5{FAILING}return {reference}")
    assert kinds == frozenset()
    assert found is not None
    assert found.startswith(NOTE)
