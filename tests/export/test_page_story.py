"""What a match page tells of each decision: names in remarks, and tables drawn where a view has changed."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import games
from games.core import PHASE, Remark
from runner.export.page.drawn_views import DrawnViews
from runner.export.page.element import Element, ElementStore, el
from runner.export.page.page_story import PageStory
from runner.export.page.text_store import TextStore
from runner.record.decisions import decisions
from runner.record.reader import read_log
from runner.screen.narrator import Narrator
from runner.screen.perspective import Perspective, VisibleState, visible_to
from tests.record.matches import erring, played

NAMES = ("ada", "bob", "P-2")
VIEWS = [Perspective(sees_all=True), Perspective(), Perspective(1)]


async def test_a_remark_names_players(tmp_path: Path) -> None:
    await played(tmp_path / "match.jsonl", "coup", erring("coup", 3), 4, max_turns=1)
    _, first, *_ = decisions(read_log(tmp_path / "match.jsonl"))
    number = next(number for number, event in enumerate(first.events) if event.kind != PHASE)
    texts = TextStore({}, 3)
    story = PageStory(Narrator(VIEWS[0]), NAMES, texts, {})
    assert any(len(entry) > 2 for entry in story.told(first, [Remark(number, "P-1's and P-2's")]))
    assert "bob's and P-2's" in texts.texts


def test_views_that_share_a_state_are_those_of_each_alone() -> None:
    for name in games.names():
        state = games.load(name).begin(3, 1)
        assert visible_to(VIEWS, state, NAMES) == [view.visible(state, NAMES) for view in VIEWS]


def test_a_table_is_drawn_again_only_where_its_view_has_changed() -> None:
    state, rng = games.load("dixiquote").begin(3, 1), random.Random(1)
    drawn = list[VisibleState]()

    def table(seen: VisibleState) -> Element:
        drawn.append(seen)
        return el("p", str(seen.view))

    views, shown = DrawnViews(VIEWS, NAMES, table, ElementStore()), list[list[VisibleState]]()
    for _ in range(12):
        shown.append([seen for seen, _ in views.add(state)])
        assert shown[-1] == visible_to(VIEWS, state, NAMES)
        state = rng.choice(state.actions).next_state
    changes = [now != before for column in zip(*shown, strict=True) for before, now in pairwise(column)]
    assert len(drawn) == len(VIEWS) + sum(changes) < len(VIEWS) * len(shown)
