"""The story of a resumed match: it tells what happened before the stop, as the view may know it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.shared_terminal import SharedTerminal
from tests.match.tables import bot
from tests.record.matches import gone_on, played
from tests.screen.drawing import drawn


class First:
    """The story when the match is resumed, before anything new happens."""

    def __init__(self, perspective: Perspective) -> None:
        console = Console(file=StringIO(), width=120, height=40, force_terminal=True, color_system=None)
        self.screen = LiveScreen(console, Narrator(perspective))
        self.terminal = SharedTerminal([self.screen, self], self.screen)
        self.page = ""

    async def emit(self, event: MatchEvent) -> None:
        """Keep the page of the first record."""
        if event.record["kind"] == "resumed":
            self.page = drawn(self.screen.page(), 120, height=200)


@pytest.mark.parametrize("sees_all", [True, False])
async def test_a_resumed_match_tells_what_happened_before(tmp_path: Path, sees_all: bool) -> None:
    path = tmp_path / "log.jsonl"
    await played(path, "cat_in_the_box", [bot("cat_in_the_box")] * 3, 1)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    first = First(Perspective(sees_all=sees_all))
    await gone_on(path, [bot("cat_in_the_box")] * 3, first.terminal, recall=first.terminal.recall)
    assert "Everybody has removed a card" in " ".join(first.page.split())
    assert "wins trick 1" in " ".join(first.page.split())
    assert ("(it holds" in first.page) == sees_all
