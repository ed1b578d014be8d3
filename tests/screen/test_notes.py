"""Notes at decisions: kept by a key of the replay, shown there, in lists, searches and pages; hostile files count as none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.export.page.match_page import match_page
from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList, SaidText, found_in
from runner.record.notes import LONGEST_NOTE, keep_note, kept_notes, notes_path
from runner.record.reader import read_log, read_sound_part
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import Viewer
from tests.cli.command import tabletop
from tests.match.tables import bot
from tests.record.matches import played
from tests.screen.drawing import drawn

NOTE = "why not <b>Duke</b>?"


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    await played(tmp_path / "match.jsonl", "coup", [bot("coup")] * 2, 3)
    return tmp_path / "match.jsonl"


def viewer_of(path: Path) -> Viewer:
    return Viewer(DecisionList(read_sound_part(path)), Perspective(sees_all=True))


def press(viewer: Viewer, *keys: str) -> None:
    for key in keys:
        viewer.press(key)


def test_a_key_keeps_a_note_that_the_next_replay_shows_changes_and_removes(path: Path) -> None:
    before, viewer = path.read_bytes(), viewer_of(path)
    press(viewer, "right", "right", "!", *NOTE.replace(" ", "_"), "enter")
    assert kept_notes(path) == {2: NOTE.replace(" ", "_")}
    assert path.read_bytes() == before
    again = viewer_of(path)
    press(again, "/", *"duke</b>", "enter")
    assert again.decision.number == 2
    assert "✎ why_not" in drawn(Page(again), 100, height=30)
    press(again, "!", "x", "escape")
    assert kept_notes(path)[2].endswith("?")
    press(again, "!", *["backspace"] * len(NOTE), "enter")
    assert kept_notes(path) == {}


def test_a_long_note_is_typed_at_its_end(path: Path) -> None:
    viewer = viewer_of(path)
    press(viewer, "!", *"a" * (LONGEST_NOTE + 50), "z")
    assert "a▏" in drawn(Page(viewer), 80, height=24)
    press(viewer, "enter")
    assert len(kept_notes(path)[0]) < LONGEST_NOTE + 1


def test_lists_searches_and_pages_of_the_whole_have_notes(path: Path) -> None:
    keep_note(path, 2, NOTE)
    assert found_in(path, "NOT <b>") == [SaidText(2, None, "note", NOTE)]
    (listed,) = json.loads(tabletop(path.parent, "logs", ".", "--search", "why not", "--json").stdout)
    assert listed["notes"] == {"2": NOTE}
    shown = tabletop(path.parent, "logs", ".", "--search", "why not").stdout
    assert "✎ 1 note" in shown
    assert f"match.jsonl, decision 2, note: {NOTE}" in shown
    log = read_log(path)
    assert "why not" in match_page(log)
    assert NOTE not in match_page(log), "a note is text, not markup"
    assert "why not" not in match_page(log, "public"), "a note may say what the public does not know"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"x": "y"}', '{"1": 2}', '{"1": "' + "x" * (LONGEST_NOTE + 1) + '"}', "\0", "[" * 99]
)
def test_a_file_that_has_no_notes_counts_as_none(text: str, path: Path) -> None:
    notes_path(path).write_text(text, encoding="utf-8")
    assert kept_notes(path) == {}
    assert keep_note(path, 1, "mine") == {1: "mine"}
