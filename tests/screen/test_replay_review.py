"""A kept review in replay: marks, win shares and what was better, for each view what it may know."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList
from runner.record.reader import Log, read_log, read_sound_part
from runner.review.review_document import ReviewDocument
from runner.screen.narrator import Narrator
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import KINDS, Viewer
from runner.screen.seen_review import kept_seen_review
from runner.screen.transcript import transcript
from tests.cli.command import tabletop
from tests.record.matches import erring, played
from tests.screen.drawing import drawn
from tests.screen.reviews import keep, written_review

ALL, PUBLIC, OWN = Perspective(sees_all=True), Perspective(), Perspective(seat=1)


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, ReviewDocument]:
    """A match and its review."""
    path = tmp_path_factory.mktemp("reviewed") / "match.jsonl"
    asyncio.run(played(path, "oriflamme", erring("oriflamme", 3, 0.1), 4))
    return path.read_bytes(), written_review(read_log(path))


@pytest.fixture
def log(reviewed: tuple[bytes, ReviewDocument], tmp_path: Path) -> Log:
    (tmp_path / "match.jsonl").write_bytes(reviewed[0])
    return read_log(tmp_path / "match.jsonl")


@pytest.fixture
def document(log: Log, reviewed: tuple[bytes, ReviewDocument]) -> ReviewDocument:
    document = reviewed[1]
    keep(log, document, public=[[0.5, 0.3, 0.2] for _ in document["chances"]])
    return document


@pytest.fixture
def viewer(log: Log, document: ReviewDocument) -> Viewer:
    return Viewer(DecisionList(read_sound_part(log.path)), ALL, review=kept_seen_review(log))


def marked(document: ReviewDocument, *seats: int) -> list[int]:
    return [one["decision"] for one in document["decisions"] if one["given_up"] >= 0.05 and one["seat"] in seats]


def press(viewer: Viewer, *keys: str) -> int:
    for key in keys:
        viewer.press(key)
    return viewer.decision.number


def shown(viewer: Viewer, height: int = 40, width: int = 100) -> str:
    return drawn(Page(viewer), width, height=height)


def test_keys_jump_to_marked_decisions(viewer: Viewer, document: ReviewDocument) -> None:
    every = marked(document, 0, 1, 2)
    assert [press(viewer, "m") for _ in every] == every
    assert press(viewer, "m") == every[-1]
    assert viewer.said == "No marked decision after this decision in the view all."
    assert [press(viewer, "M") for _ in every[1:]] == every[-2::-1]


def test_a_search_keeps_its_keys(viewer: Viewer, document: ReviewDocument) -> None:
    press(viewer, "/", *"score", "enter", "n")
    assert "score" in viewer.said or KINDS["s"][1](viewer.decision)
    press(viewer, "home")
    assert press(viewer, "m") == marked(document, 0, 1, 2)[0]


def test_a_seat_jumps_to_its_own_marks_and_the_public_to_none(viewer: Viewer, document: ReviewDocument) -> None:
    viewer.perspective = OWN
    own = marked(document, 1)
    assert [press(viewer, "m") for _ in own] == own
    assert press(viewer, "m") == own[-1]
    viewer.perspective = PUBLIC
    press(viewer, "home", "m")
    assert "No marked decision" in viewer.said


def test_each_view_shows_the_grades_and_shares_that_it_may_know(viewer: Viewer, document: ReviewDocument) -> None:
    grades = {one["decision"]: one for one in document["decisions"]}
    for number in range(1, viewer.decisions.last, 7):
        viewer.go(number)
        for viewer.perspective in (ALL, OWN, PUBLIC):
            text, entry = shown(viewer), grades.get(number)
            is_told = any(words in text for words in ("of the win; better: ", "Best answer found", "Good answer;"))
            assert is_told == (entry is not None and viewer.perspective.reads(entry["seat"]))
            assert ("Share of the win" in text) == (viewer.perspective != OWN)
            if viewer.perspective == PUBLIC:
                assert " 50 %" in text
                assert " 30 %" in text


def test_the_bar_stands_back_where_the_table_needs_the_lines(viewer: Viewer) -> None:
    press(viewer, "m")
    assert "Share of the win" in shown(viewer, 24)
    assert "Share of the win" not in shown(viewer, 15)


def test_a_log_without_a_review_says_how_to_make_one(log: Log) -> None:
    listed = DecisionList(read_sound_part(log.path))
    viewer = Viewer(listed, ALL)
    press(viewer, "m")
    assert viewer.said == f"No review of this match is kept: run `tabletop review {log.path}`."
    press(viewer, "end")
    assert f"`tabletop review {log.path}`" in shown(viewer, width=300)


@pytest.mark.parametrize(("view", "seats"), [(ALL, (0, 1, 2)), (OWN, (1,)), (PUBLIC, ())])
def test_the_transcript_marks_faults(log: Log, document: ReviewDocument, view: Perspective, seats: tuple[int, ...]) -> None:
    told = [line.plain for line in transcript(log, Narrator(view), kept_seen_review(log))]
    assert sum("of the win; better: " in line for line in told) == len(marked(document, *seats))
    assert [line.plain for line in transcript(log, Narrator(view))] == [line for line in told if "; better: " not in line]


def test_the_verb_reads_the_review_beside_the_log(log: Log, document: ReviewDocument) -> None:
    done = tabletop(log.path.parent, "replay", "match.jsonl", "--plain")
    assert len(re.findall(r" \?\? ?[a-zA-Z]", done.stdout)) == sum(one["grade"] == "blunder" for one in document["decisions"])


def test_a_review_of_other_lines_is_not_shown(log: Log, document: ReviewDocument) -> None:
    keep(log, document | {"digest": "0" * 32})
    assert kept_seen_review(log) is None


def test_the_shares_of_the_win_are_shown_once(viewer: Viewer) -> None:
    for width in (100, 120, 200):
        assert shown(viewer, 50, width).count("Share of the win") == 1
