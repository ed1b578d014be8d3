"""Match pictures: the table after a decision, and the course of a match as a plot, as SVG documents that load nothing."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console, Group
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from games.core import Game
from runner.export.pages import macro
from runner.record.decisions import LoggedDecision, decision_at, decisions
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET
from runner.screen.pane_layout import Header
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.scene_rich import drawn_table, scene_of
from runner.screen.seen_review import SeenReview, percent

_COLUMNS, _ROWS = 100, 60
"""Size of the picture of a table."""
_MOST_LINES = 4
_LONGEST_NAME = 60
_FORMAT = re.sub(r"@font-face \{\{.*?\n    \}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code, ", "ui-monospace, DejaVu Sans Mono, "
)
"""Rich's document without the fonts that it loads from elsewhere."""


_COLOURS = (
    "1a1a1a f4005f 98e024 fd971f 9d65ff e266de 58d1eb c4c5b5",
    "626262 ff6b5e 98e024 f0e660 6e96ff ff79dc 58d1eb f6f6ef",
)
_NORMAL, _BRIGHT = ([(*bytes.fromhex(one),) for one in row.split()] for row in _COLOURS)
_THEME = TerminalTheme((12, 12, 12), (217, 217, 217), _NORMAL, _BRIGHT)
"""The colours of terminals, of which no two that seats have are alike."""


def picture_console(width: int = _COLUMNS, height: int = _ROWS) -> Console:
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
    return console.export_svg(title=title, theme=_THEME, code_format=_FORMAT, unique_id=name)


def position_picture(log: Log, number: int, narrator: Narrator) -> str:
    """The table after decision `number` of a log (0: the deal) in the narrator's view. UsageError where there is none."""
    decision = decision_at(log, number) if number else next(decisions(log))
    (game, _), state = opening(log.header), decision.state
    names = tuple(clean(seat.get("name"), _LONGEST_NAME) for seat in log.header["seats"])
    table = drawn_table(game, narrator.perspective.visible(state, names))
    story = narrator.logged(decision)[:_MOST_LINES] if number else [Text("The cards are dealt.", style=QUIET)]
    console = picture_console()
    console.print(Group(Header(state), table, Text(), *story))
    title = f"{state.game.title}, {f'decision {number}' if number else 'the deal'}"
    return console_picture(console, title, f"d{number}")


# -- the plot --------------------------------------------------------------------------------------------------------

SeatLines = Sequence[Sequence[float]]
"""A number of each seat after each decision, from the deal on."""


def match_plot(log: Log, eye: Narrator, review: SeenReview | None) -> str:
    """The plot: shares of the win where the view may see them in a review, else what the game's page has in its chart."""
    found, game = list(decisions(log)), opening(log.header)[0]
    shares = [line for one in found if review and (line := review.shares(one.number, one.state, eye.perspective))]
    name, lines = ("share of the win", shares) if shares else _numbers(game, found)
    low, high = (0, 1) if shares else (min(0, *map(min, lines)), max(1, *map(max, lines)))
    facts = {"low": low, "high": high, "shown": percent if shares else "{:g}".format, "lines": lines, "last": len(found) - 1}
    names = [eye.label(seat) for seat in range(log.header["players"])]
    return macro("plots.svg", "course")({"title": f"{game.title}: {name}", "names": names, **facts})


def _numbers(game: Game, found: Sequence[LoggedDecision]) -> tuple[str, SeatLines]:
    """What the game's table says of each seat in numbers, as everybody may know them, with their name."""
    names = ("",) * found[0].state.setup.players
    scenes = [scene_of(game, Perspective().visible(decision.state, names)) for decision in found]
    lines = [scene.standing or decision.state.scores for scene, decision in zip(scenes, found, strict=True)]
    return (scenes[0].standing_name or "score").lower(), lines
