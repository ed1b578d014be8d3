"""Match pictures: the table after a decision, the course of a match as a plot, and a preview for links and galleries, which
shows no ending. They are SVG documents that load nothing."""

import io
import re
from collections.abc import Sequence
from importlib.util import find_spec
from textwrap import wrap
from typing import Literal

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console, Group
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from games.core import Game
from games.core.sentence import labelled
from games.highlights import remarked
from games.scenes import Heading, scene_of
from runner.export.pages import macro, render, to_png
from runner.film.perspective import Perspective
from runner.match.header import HeaderRecord
from runner.record.decisions import LoggedDecision, decision_at, decisions, highlights_in, remarks_on_decision
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET
from runner.screen.pane_layout import Header
from runner.screen.safe_text import clean
from runner.screen.scene_rich import drawn_table
from runner.screen.seat_labels import labels_of
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


def picture_console(width: int = _COLUMNS, height: int = _ROWS, colours: Literal["truecolor", "256"] = "truecolor") -> Console:
    """A terminal in colour that writes nowhere and records what is printed on it."""
    return Console(
        width=width,
        height=height,
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system=colours,
        no_color=False,
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
    table = drawn_table(game, narrator.perspective.visible(state, labels_of(log.header["seats"])))
    told = [*narrator.attempts(decision), *narrator.events(decision.events, remarks_on_decision(decision))]
    story = told[:_MOST_LINES] if number else [Text("The cards are dealt.", style=QUIET)]
    console = picture_console()
    console.print(Group(Header(game, Heading.of(state)), table, Text(), *story))
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


# -- the preview: its shapes are in the template `preview.svg` ---------------------------------------------------------

_SEEN = 0.7
"""A moment is looked for in this part of a match, so that it does not give the ending away."""


def preview(header: HeaderRecord, replayed: Sequence[LoggedDecision], perspective: Perspective) -> str:
    """The table as a perspective sees it at the best moment of the first part of a match, as an SVG document."""
    most = int((len(replayed) - 1) * _SEEN)
    found = [one for decision in replayed[1 : most + 1] for one in highlights_in(decision, perspective.sees_all)]
    moment = max(found, key=lambda one: (one.remark.weight, one.number), default=None)
    decision = replayed[moment.number if moment else most]
    (game, _), lines = opening(header), list[str]()
    names = labels_of(header["seats"])
    if moment is not None:
        lines = wrap(clean(remarked(labelled(moment.event, names), moment.remark.text), 150), 74)[:2]
    scene = scene_of(game, perspective.visible(decision.state, names))
    parts = [(type(part).__name__, part) for part in scene.parts]
    return render("preview.svg", title=game.title, scene=scene, lines=lines, parts=parts)


def preview_ending() -> str:
    """How the name of a preview's file ends: as pixels, which all networks draw, where resvg is installed."""
    return ".preview.png" if find_spec("resvg_py") else ".preview.svg"


def preview_file(header: HeaderRecord, replayed: Sequence[LoggedDecision], perspective: Perspective) -> tuple[str, str | bytes]:
    """The preview as the end of a file's name and its content."""
    drawn, ending = preview(header, replayed, perspective), preview_ending()
    return ending, to_png(drawn, 1) if ending.endswith("png") else drawn
