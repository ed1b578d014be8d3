"""Highlights in the replay viewer: keys that jump to them, their sign, and the list at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList, highlights_of
from runner.record.reader import Log, read_log, read_sound_part
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import Viewer
from tests.match.tables import bot
from tests.record.matches import played
from tests.screen.drawing import drawn


@pytest.fixture
async def log(tmp_path: Path) -> Log:
    await played(tmp_path / "match.jsonl", "coup", [bot("coup")] * 4, 3)
    return read_log(tmp_path / "match.jsonl")


@pytest.fixture
def viewer(log: Log) -> Viewer:
    return Viewer(DecisionList(read_sound_part(log.path)), Perspective(sees_all=True))


def press(viewer: Viewer, *keys: str) -> int:
    for key in keys:
        viewer.press(key)
    return viewer.decision.number


@pytest.mark.parametrize("sees_all", [True, False])
def test_keys_jump_to_the_highlights_of_the_view(viewer: Viewer, log: Log, sees_all: bool) -> None:
    viewer.perspective = Perspective(sees_all=sees_all)
    every = sorted({highlight.number for highlight in highlights_of(log, sees_all)})
    assert len(every) > 2
    assert [press(viewer, "n") for _ in every] == every
    assert press(viewer, "n") == every[-1]
    assert viewer.said == "No highlight after this decision."
    assert [press(viewer, "N") for _ in every[1:]] == every[-2::-1]


def test_a_search_has_the_keys_until_it_is_ended(viewer: Viewer, log: Log) -> None:
    first = highlights_of(log, sees_all=True)[0].number
    press(viewer, "/", *"nonesuch", "enter", "n")
    assert "nonesuch" in viewer.said
    assert press(viewer, "/", "escape", "home", "n") == first


def test_the_page_has_a_sign_and_at_the_end_the_list(viewer: Viewer, log: Log) -> None:
    public = {highlight.number for highlight in highlights_of(log, sees_all=False)}
    hidden = {highlight.number for highlight in highlights_of(log, sees_all=True)} - public
    assert hidden
    viewer.go(min(hidden))
    assert "✦" in shown(viewer)
    viewer.perspective = Perspective()
    viewer.go(min(hidden))
    assert "✦" not in shown(viewer)
    assert "Highlights: " not in shown(viewer)
    viewer.go(viewer.decisions.last)
    assert "Highlights: bluffs caught" in shown(viewer)
    viewer.perspective = Perspective(sees_all=True)
    assert "Highlights: bluffs told" in shown(viewer)
    assert shown(viewer).count("  decision ") == 3


def test_the_help_names_the_keys(viewer: Viewer) -> None:
    assert "n highlight" in shown(viewer)
    press(viewer, "?")
    assert "next, previous highlight (✦)" in shown(viewer)


def test_the_help_scrolls_on_a_low_terminal(viewer: Viewer) -> None:
    press(viewer, "?")
    assert "Bluff, and be the last" not in drawn(Page(viewer), 40, height=20)
    press(viewer, *["pgdn"] * 10)  # further than the help is long: it stays at its end
    assert "Coup (7): target loses" in drawn(Page(viewer), 40, height=20)
    press(viewer, "space")
    assert not viewer.has_help


def shown(viewer: Viewer) -> str:
    return drawn(Page(viewer), 100, height=100)
