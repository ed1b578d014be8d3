"""Position picture: the table after a decision as an SVG document, for papers and web pages. It loads nothing."""

from __future__ import annotations

import io
import re

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console, Group, RenderableType
from rich.terminal_theme import MONOKAI
from rich.text import Text

from games.core import Game
from runner.record.decisions import LoggedDecision, decision_at, decisions
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.game_screens import screen_of
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET
from runner.screen.safe_text import clean
from runner.screen.table_header import Header

WIDTH = 100
"""Columns of a picture."""

_HEIGHT = 60
_MOST_LINES = 4
_LONGEST_NAME = 60
_FORMAT = re.sub(r"@font-face \{\{.*?\n    \}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code, ", "ui-monospace, DejaVu Sans Mono, "
)
"""Rich's document without the fonts that it loads from elsewhere."""


def picture_console(width: int = WIDTH, height: int = _HEIGHT) -> Console:
    """A terminal that writes nowhere and records what is printed on it."""
    return Console(
        width=width,
        height=height,
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        emoji=False,
    )


def console_picture(console: Console, title: str, name: str) -> str:
    """What a recording terminal shows, as an SVG document. `name` makes its ids unique on a page."""
    return console.export_svg(title=title, theme=MONOKAI, code_format=_FORMAT, unique_id=name)


def position_picture(log: Log, number: int, narrator: Narrator) -> str:
    """The table after decision `number` of a log (0: the deal) in the narrator's view. UsageError where there is none."""
    decision = decision_at(log, number) if number else next(decisions(log))
    title = f"{decision.state.game.title}, decision {number}" if number else f"{decision.state.game.title}, the deal"
    names = tuple(clean(seat.get("name"), _LONGEST_NAME) for seat in log.header["seats"])
    game, _ = opening(log.header)
    console = picture_console()
    console.print(_screen(game, decision, narrator, names))
    return console_picture(console, title, f"d{number}")


def _screen(game: Game, decision: LoggedDecision, narrator: Narrator, names: tuple[str, ...]) -> RenderableType:
    state = decision.state
    table = screen_of(game)(narrator.perspective.visible(state, names))
    story = narrator.logged(decision)[:_MOST_LINES] if decision.number else [Text("The cards are dealt.", style=QUIET)]
    return Group(Header(state), table, Text(), *story)
