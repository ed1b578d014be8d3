"""Keys while a match is shown: what each of them does, and that no view widens."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import RenderableType
from rich.text import Text

from runner.screen.live_controls import LiveControls
from runner.screen.narrator import Narrator
from runner.screen.pacing import Pacing
from runner.screen.perspective import Perspective
from tests.screen.terminal import Terminal

KEYS = ("space", "right", ".", "-", "+", "v", "V", "t", "?", "q", "escape", "left", "x", "enter", "1")


class Screen:
    """A screen that is controlled."""

    def __init__(self, view: str, has_thoughts: bool = False) -> None:
        self.narrator = Narrator(Perspective.of(view, 3), has_thoughts)
        self.keys: tuple[Text, ...] = ()
        self.cover: RenderableType | None = None
        self.frames = 0

    def draw(self) -> None:
        self.frames += 1


def controlled(view: str = "all") -> tuple[Screen, Pacing, LiveControls]:
    screen, pacing = Screen(view), Pacing(1.0)
    controls = LiveControls(screen, pacing)
    controls.start(3)
    return screen, pacing, controls


def test_the_view_of_all_goes_to_every_other_view_and_back() -> None:
    screen, _, controls = controlled()
    found = []
    for _ in range(5):
        controls.press("v")
        found.append(screen.narrator.perspective.name)
    assert found == ["public", "P-0", "P-1", "P-2", "all"]
    controls.press("V")
    assert screen.narrator.perspective.name == "P-2"


@pytest.mark.parametrize("view", ["public", "P-1"])
def test_no_key_changes_a_view_that_hides_something(view: str) -> None:
    screen, _, controls = controlled(view)
    for key in KEYS * 3:
        controls.press(key)
        assert screen.narrator.perspective.name == view
    assert not any("view v" in text.plain for text in screen.keys)


def test_the_title_names_the_keys_and_says_what_is_paused() -> None:
    screen, pacing, controls = controlled()
    assert screen.keys[0].plain == "pause ␣  step →  speed -+ 1 s  view v all  thoughts t  help ?"
    assert [len(text) for text in screen.keys] == sorted((len(text) for text in screen.keys), reverse=True)
    controls.press("space")
    assert pacing.is_paused
    assert screen.keys[0].plain.startswith("paused  continue ␣")
    controls.press("-")
    assert "speed -+ 2 s" in screen.keys[0].plain
    controls.press("space")
    assert not pacing.is_paused


def test_thoughts_and_help_come_and_go() -> None:
    screen, _, controls = controlled()
    controls.press("t")
    assert screen.narrator.has_thoughts
    controls.press("?")
    assert screen.cover is not None
    controls.press("?")
    assert screen.cover is None
    controls.press("?")
    controls.press("t")
    assert (screen.cover, screen.narrator.has_thoughts) == (None, False)
    assert screen.frames == 5


def test_one_key_never_stops_a_match() -> None:
    screen, pacing, controls = controlled()
    controls.press("q")
    assert "Ctrl-C stops" in screen.keys[0].plain
    assert not pacing.is_paused


def test_keys_are_read_on_a_terminal_and_it_is_left_as_it_was(tmp_path: Path) -> None:
    bots = ("--seat", "bot:steady", "--seat", "bot:steady", "--seed", "3")
    terminal = Terminal("play", "coup", *bots, "--log", "log.jsonl", folder=tmp_path, width=130)
    before = terminal.modes()
    terminal.wait_for("pause ␣")
    terminal.type(" ")
    terminal.wait_for("paused")
    terminal.type("v")
    terminal.wait_for("view v public")
    terminal.type("?")
    terminal.wait_for("show or hide this help")
    terminal.type("\x03")
    assert terminal.ended() == 3
    assert terminal.modes() == before
    assert "tabletop resume log.jsonl" in terminal.text
