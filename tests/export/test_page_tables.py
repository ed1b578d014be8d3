"""Tables of match pages: elements by number, what they may consist of, and pages that packages bring."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

import games
from runner.export.page import game_tables, plain_page_table
from runner.export.page.element import Element, ElementStore, drawn_once, el
from runner.export.page.game_tables import table_of
from runner.screen.perspective import Perspective, VisibleState

COUP = games.load("coup")
NAMES = ("ada", "P-1", "P-2")


def seen() -> VisibleState:
    return Perspective(sees_all=True).visible(COUP.begin(3, 1), NAMES)


def words(element: Element) -> str:
    return "".join(child if isinstance(child, str) else words(child) for child in element.children)


def test_an_element_is_stored_once() -> None:
    store = ElementStore()
    card = el("li.card", "Duke", aria_label="a\x00 card")
    assert store.number(el("ul", card, card, None, "!")) == store.number(el("ul", card, card, "!"))
    assert store.data == [["li.card", {"aria-label": "a card"}, "Duke"], ["ul", 0, 0, "!"]]


def test_equal_arguments_give_one_element_and_numbers_are_not_truth_values() -> None:
    assert el("td", el("b", "1"), colspan=1) is el("td", el("b", "1"), colspan=1)
    assert el("td", colspan=1).attributes != el("td", colspan=2).attributes
    assert [type(el("td", colspan=value).attributes[0][1]) for value in (1, True)] == [int, bool]


def test_a_part_is_drawn_once_for_the_same_arguments() -> None:
    drawn = []

    @drawn_once
    def part(name: str) -> Element:
        drawn.append(name)
        return el("b", name)

    store = ElementStore()
    assert [store.number(part(name)) for name in ("a", "b", "a")] == [0, 1, 0]
    assert drawn == ["a", "b"]


@pytest.mark.parametrize("tag", ["script", "img.x", "iframe", "a", "style", ""])
def test_a_table_has_no_active_tags(tag: str) -> None:
    with pytest.raises(ValueError, match="cannot have the tag"):
        el(tag)


@pytest.mark.parametrize("name", ["onclick", "href", "src", "style", "id"])
def test_a_table_has_no_active_attributes(name: str) -> None:
    with pytest.raises(ValueError, match="cannot have the attribute"):
        el("p", **{name: "x"})


@pytest.mark.parametrize("name", ["cat_in_the_box", "dixiquote", "oriflamme"])
def test_the_chart_of_a_game_with_points_ends_with_its_scores(name: str) -> None:
    game, rng = games.load(name), random.Random(1)
    chart, state = table_of(game).chart, game.begin(3, 2)
    assert chart is not None
    while not state.has_ended:
        state = rng.choice(state.actions).next_state
    assert list(chart(state.view(None))) == list(state.scores)


def test_a_game_without_a_page_gets_a_plain_table() -> None:
    table = plain_page_table.table(seen())
    assert "coins" in words(table)
    assert "ada" in words(table)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("from runner.export.page.element import el\ntable = lambda seen: el('p', 'mine')", "mine"),
        ("1 / 0", "The game's own page does not work"),
        ("table = lambda seen: 1 / 0", "The game's own page does not work"),
        ("from runner.export.page.element import el\ntable = lambda seen: el('script')", "cannot have the tag 'script'"),
    ],
)
def test_a_package_brings_its_page(code: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "pagetestgame"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "page.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(game_tables, "OWN", ())
    monkeypatch.setattr(game_tables, "package_of", lambda name: "pagetestgame")
    game_tables._installed.cache_clear()
    try:
        assert says in words(table_of(COUP).table(seen()))
    finally:
        game_tables._installed.cache_clear()
        for name in ("pagetestgame", "pagetestgame.page"):
            sys.modules.pop(name, ModuleType(name))
