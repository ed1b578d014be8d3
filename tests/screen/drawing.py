"""Screens as text of a fixed width."""

from __future__ import annotations

from io import StringIO

from rich.cells import cell_len
from rich.console import Console, RenderableType

from games.core import State
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent
from runner.screen.live import LiveScreen
from runner.screen.scene_rich import drawn_table

WIDTHS = (60, 80, 120, 200)


def drawn(renderable: RenderableType, width: int, colour: bool = False, height: int = 100) -> str:
    """What a terminal of that size shows; with colour, escapes and all."""
    file = StringIO()
    console = Console(
        file=file,
        width=width,
        height=height,
        force_terminal=True if colour else None,
        color_system="truecolor" if colour else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(renderable)
    return file.getvalue()


def table(state: State, width: int, view: str = "all", colour: bool = False, height: int = 100) -> str:
    """A state's table from a perspective."""
    names = tuple(f"P-{seat}" for seat in range(state.setup.players))
    seen = Perspective.of(view, state.setup.players).visible(state, names)
    return drawn(drawn_table(state.game, seen), width, colour, height)


def widest(text: str) -> int:
    """The cells of the longest line."""
    return max(map(cell_len, text.split("\n")))


class Drawing:
    """Draws a screen after every `every`th decision, in place of the clock."""

    def __init__(self, screen: LiveScreen, every: int) -> None:
        self._screen = screen
        self._every = every
        self._changes = 0

    async def emit(self, event: MatchEvent) -> None:
        self._changes += event.record["kind"] in ("header", "decision")
        if event.record["kind"] == "decision" and self._changes % self._every == 0:
            self._screen.draw()
