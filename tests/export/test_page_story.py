"""What a match page tells of each decision: names in remarks, and views that share the state that they show."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.core import PHASE, Remark
from games.core.eye import visible_to
from runner.api import play
from runner.export.page import match_page
from runner.film.perspective import Perspective
from runner.record.decisions import LoggedDecision
from runner.record.reader import read_log
from runner.screen.seen_review import SeenReview
from tests.export.test_export import page_data
from tests.screen.reviews import written_review

NAMES = ("ada", "bob", "P-2")
VIEWS = [Perspective(sees_all=True), Perspective(), Perspective(1)]


def test_a_remark_names_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def remarks(decision: LoggedDecision) -> list[Remark]:
        told = [number for number, event in enumerate(decision.events) if event.kind != PHASE]
        return [Remark(number, "P-1's and P-2's") for number in told[:1]]

    monkeypatch.setattr(match_page, "remarks_on_decision", remarks)
    players = {"ada": "bot:steady", "bob": "bot:random", "eve": "bot:random"}
    path = play("coup", players, log=tmp_path / "match.jsonl", max_turns=1).path
    assert "bob's and eve's" in page_data(match_page.match_page(read_log(path)))["texts"]


def test_the_choices_of_a_guess_and_the_words_of_a_grade_name_players(tmp_path: Path) -> None:
    players = {"ada": "bot:steady", "bob": "bot:random", "eve": "bot:random"}
    log = read_log(play("coup", players, log=tmp_path / "match.jsonl", seed=2, max_turns=3).path)
    data = page_data(match_page.match_page(log, review=SeenReview(log, written_review(log))))
    choices = {word for ask in data["asks"] if ask["choices"] is not None for word in data["texts"][ask["choices"]].split("\n")}
    assert {"Steal, ada", "Steal, bob", "Steal, eve"} & choices
    grades = data["reviews"][0]["grades"].values()
    words = str([*choices, *((grade["played"], grade["better"]) for grade in grades)])
    assert "P-" not in words
    assert any(name in words for name in players)


def test_views_that_share_a_state_are_those_of_each_alone() -> None:
    for name in games.names():
        state = games.load(name).begin(3, 1)
        assert visible_to(VIEWS, state, NAMES) == [view.visible(state, NAMES) for view in VIEWS]
