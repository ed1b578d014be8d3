"""Tables of match pages: nodes by number, and the elements that the script of a page makes of them."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

import games
from games.core.eye import VisibleState
from games.core.scene import Card, Player, Players, Scene, Steps, plain_table
from games.scenes import scene_of
from runner.export.scene_nodes import Tables
from runner.film.perspective import Perspective
from tests.export.page_drawing import drawn_on_page, lines_on_page, needs_node
from tests.screen.test_scenes import NAMES as SEATS
from tests.screen.test_scenes import WIDE

COUP = games.load("coup")
NAMES = ("ada", "P-1", "P-2")


def seen() -> VisibleState:
    return Perspective(sees_all=True).visible(COUP.begin(3, 1), NAMES)


def words(scene: Scene) -> str:
    """All texts of a scene."""
    tables = Tables(scene.names)
    tables.table(scene)
    fields = (field for node in tables.data for field in (node.values() if isinstance(node, dict) else node))
    return " ".join(field for field in fields if isinstance(field, str))


def test_a_value_is_stored_once_without_its_empty_fields() -> None:
    tables = Tables(NAMES)
    card = Card("a\x00 card", owner=0)
    assert tables.table(Scene(NAMES, (Steps((("!", (card, card)),)),))) == len(tables.data) - 1
    assert tables.data.count({"is": "Card", "name": "a card", "state": "up", "owner": 0, "tokens": 0}) == 1


@needs_node
def test_a_sign_is_text_and_never_a_picture_of_a_font() -> None:
    tables = Tables(NAMES)
    part = Players((Player(0, cards=(Card("Duke", sign="⚓"),)),), cards="Cards")
    (page,) = drawn_on_page(tables, [tables.table(Scene(NAMES, (part,)))])
    assert '<span class="sign" aria-hidden="true">⚓\ufe0e</span>' in page


@cache
def drawn_parts() -> dict[str, str]:
    """A table of each part alone, all drawn by one process."""
    tables = Tables(SEATS)
    pages = drawn_on_page(tables, [tables.table(Scene(SEATS, (part,))) for part in WIDE.values()])
    return dict(zip(WIDE, pages, strict=True))


@needs_node
@pytest.mark.parametrize("part", WIDE)
def test_every_part_has_elements(part: str) -> None:
    assert len(lines_on_page(drawn_parts()[part])) > 0


@needs_node
@pytest.mark.parametrize("name", games.names())
def test_a_table_has_no_active_tags_and_attributes(name: str) -> None:
    game, rng, tables, found = games.load(name), random.Random(1), Tables((*NAMES, "P-3")), list[int]()
    state = game.begin(4, 2)
    while not state.has_ended:
        found.append(tables.table(scene_of(game, Perspective(sees_all=True).visible(state, (*NAMES, "P-3")))))
        state = rng.choice(state.actions).next_state
    page = "".join(drawn_on_page(tables, [*found[::3], found[-1]]))
    tags, names = set(re.findall(r"<([a-z0-9]+)", page)), set(re.findall(r' ([a-z-]+)="', page))
    assert not tags & {"a", "script", "style", "iframe", "img", "form", "input", ""}
    assert {name for name in names if not name.startswith(("aria-", "--"))} <= {"class", "role", "tabindex", "scope", "data-on"}


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
