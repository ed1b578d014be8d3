"""Tables of match pages: elements by number, what they may consist of, and the scenes that become elements."""

from __future__ import annotations

import random

import pytest

import games
from games.core.eye import VisibleState
from games.core.scene import Scene, plain_table
from games.scenes import scene_of
from runner.export.scene_html import Tables
from runner.film.perspective import Perspective

COUP = games.load("coup")
NAMES = ("ada", "P-1", "P-2")


def seen() -> VisibleState:
    return Perspective(sees_all=True).visible(COUP.begin(3, 1), NAMES)


def words(scene: Scene) -> str:
    """All texts of a drawn scene."""
    tables = Tables(scene.names)
    tables.table(scene)
    return " ".join(part for _, *rest in tables.data for part in rest if isinstance(part, str))


def test_an_element_is_stored_once() -> None:
    tables = Tables(NAMES)
    card, same = (tables.el("li.card", "Duke", aria_label="a\x00 card") for _ in range(2))
    assert tables.el("ul", card, card, None, "!") == tables.el("ul", card, same, "!")
    assert tables.data == [["li.card", {"aria-label": "a card"}, "Duke"], ["ul", 0, 0, "!"]]


def test_a_sign_is_text_and_never_a_picture_of_a_font() -> None:
    tables = Tables(NAMES)
    tables.el("span.sign", "⚓")
    assert tables.data == [["span.sign", "⚓\ufe0e"]]


@pytest.mark.parametrize("name", games.names())
def test_a_table_has_no_active_tags_and_attributes(name: str) -> None:
    game, rng, tables = games.load(name), random.Random(1), Tables((*NAMES, "P-3"))
    state = game.begin(4, 2)
    while not state.has_ended:
        tables.table(scene_of(game, Perspective(sees_all=True).visible(state, (*NAMES, "P-3"))))
        state = rng.choice(state.actions).next_state
    tags = {str(spec).partition(".")[0] for spec, *_ in tables.data}
    names = {name for _, *rest in tables.data for facts in rest[:1] if isinstance(facts, dict) for name in facts}
    assert not tags & {"a", "script", "style", "iframe", "img", "form", "input", ""}
    assert {name for name in names if not name.startswith(("aria-", "--"))} <= {"role", "tabindex", "scope"}


@pytest.mark.parametrize("name", ["cat_in_the_box", "dixiquote", "oriflamme"])
def test_the_standing_of_a_game_with_points_ends_with_its_scores(name: str) -> None:
    game, rng = games.load(name), random.Random(1)
    state = game.begin(3, 2)
    while not state.has_ended:
        state = rng.choice(state.actions).next_state
    assert scene_of(game, Perspective().visible(state, NAMES)).standing == state.scores


@pytest.mark.parametrize("name", games.names())
def test_equal_tables_are_drawn_once(name: str) -> None:
    game, tables = games.load(name), Tables(NAMES)
    first, second = (scene_of(game, Perspective(sees_all=True).visible(game.begin(3, 2), NAMES)) for _ in range(2))
    assert first is not second
    assert tables.table(first) == tables.table(second)


def test_a_game_without_a_table_gets_a_plain_one() -> None:
    found = words(plain_table(seen().view, seen().owns, NAMES))
    assert "coins" in found
    assert "ada" in found
    assert "{" not in found


def test_names_are_text_and_never_markup() -> None:
    scene = scene_of(COUP, Perspective().visible(COUP.begin(3, 1), ("<script>", "&amp;", "P-2")))
    assert "<script>" in words(scene)
