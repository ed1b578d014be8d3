"""Keys while a match is shown: what each of them does, and that no view widens."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import StringIO
from operator import attrgetter
from pathlib import Path

import pytest
from rich.console import Console

from runner.film.pacing import Pacing
from runner.film.perspective import Perspective
from runner.screen.dialog import Dialog
from runner.screen.keys import DIALOG, LIVE, REPLAY, Keys
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.replay_viewer import Viewer
from tests.match.tables import bot, match
from tests.screen.drawing import drawn
from tests.screen.terminal import Terminal

KEYS = ("space", "right", ".", "-", "+", "v", "V", "t", "?", "q", "escape", "left", "x", "enter", "1")


def played(view: str = "all") -> tuple[LiveScreen, Pacing]:
    """A screen with keys, at the end of a match of three bots."""
    pacing = Pacing(1.0)
    console = Console(file=StringIO(), width=200, height=40, force_terminal=True, color_system=None)
    screen = LiveScreen(console, Narrator(Perspective.of(view, 3)), pacing=pacing)
    asyncio.run(match("coup", [bot("coup")] * 3, sinks=[screen]).run())
    screen.draw()
    return screen, pacing


def title(screen: LiveScreen) -> str:
    return drawn(screen.page(), 200, height=40).split("\n")[0]


def after(screen: LiveScreen, key: str) -> str:
    """What the screen shows after a key."""
    screen.press(key)
    return drawn(screen.page(), 200, height=40)


def test_the_view_of_all_goes_to_every_other_view_and_back() -> None:
    screen, _ = played()
    for key, view in (
        *zip("vvvvv", ("public", "BotAgent 1", "BotAgent 2", "BotAgent 3", "all"), strict=True),
        ("V", "BotAgent 3"),
    ):
        assert f"view v {view} " in after(screen, key)


@pytest.mark.parametrize("view", ["public", "P-1"])
def test_no_key_changes_a_view_that_hides_something(view: str) -> None:
    screen, _ = played(view)
    before = drawn(screen.page(), 200, height=40).split("\n")[1:-3]
    for key in KEYS * 2:
        screen.press(key)
        assert "view v" not in drawn(screen.page().title, 200)
    assert drawn(screen.page(), 200, height=40).split("\n")[1:-3] == before


def test_the_title_names_the_keys_and_says_what_is_paused() -> None:
    screen, pacing = played()
    assert title(screen).endswith("pause ␣  step →  speed -+ 1 s  view v all  thoughts t  help ?")
    assert "paused  continue ␣" in after(screen, "space")
    assert pacing.is_paused
    assert "speed -+ 2 s" in after(screen, "-")
    screen.press("space")
    assert not pacing.is_paused


def test_thoughts_and_help_come_and_go() -> None:
    screen, _ = played()
    assert "Thoughts and talk" in after(screen, "t")
    assert "show or hide this help" in after(screen, "?")
    assert "show or hide this help" not in after(screen, "?")
    screen.press("?")
    found = after(screen, "t")
    assert "Thoughts and talk" not in found
    assert "show or hide this help" not in found


@pytest.mark.parametrize(
    ("screen", "table"), [(LiveScreen(Console(), Narrator(Perspective())).viewer, LIVE), (Viewer, REPLAY), (Dialog, DIALOG)]
)
def test_every_key_does_one_thing_that_its_screen_can_do(screen: object, table: Sequence[Keys]) -> None:
    names = [name for one in table for name in one.keys.split()]
    assert len(names) == len(set(names))
    assert all(callable(attrgetter(one.method)(screen)) for one in table if one.keys)
    assert all(len(one.arguments) in (0, len(one.keys.split())) for one in table)


def test_one_key_never_stops_a_match() -> None:
    screen, pacing = played()
    assert "Ctrl-C stops" in after(screen, "q")
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


def test_ctrl_z_leaves_the_terminal_to_the_shell_and_fg_draws_the_match_again(tmp_path: Path) -> None:
    bots = ("--seat", "bot:steady", "--seat", "bot:steady", "--seed", "3")
    script = 'set -m; "$@"; echo is stopped; read line; fg'
    terminal = Terminal("play", "coup", *bots, "--log", "log.jsonl", folder=tmp_path, width=130, script=script)
    terminal.wait_for("pause ␣")
    terminal.type(" ")
    terminal.wait_for("paused")
    terminal.type("\x1a")
    terminal.wait_for("is stopped")
    assert "pause ␣" not in terminal.text, "the shell has its own screen again"
    assert terminal.modes() == terminal.modes_before
    terminal.type("\n")
    terminal.wait_for("paused")
    terminal.type("\x03")
    assert terminal.ended() == 3
