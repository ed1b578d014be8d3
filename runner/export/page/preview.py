"""Preview: a moment of a match as a picture for links and galleries, the game's table in large shapes. It shows no ending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from textwrap import wrap

from games.core import seat_name
from games.core.scene import CardRow, Grid, Part, Players, Quote, Scene, Texts
from runner.agents.seat import Seat
from runner.export.pages import render, to_png
from runner.match.header import HeaderRecord
from runner.record.decisions import LoggedDecision
from runner.record.highlights import highlights_in, remarked
from runner.record.replay import opening
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.scene_rich import scene_of
from runner.screen.seat_labels import called, labelled

_BOTTOM, _SEEN = 612, 0.7
"""A moment is looked for in this part of a match, so that it does not give the ending away."""


def preview(header: HeaderRecord, replayed: Sequence[LoggedDecision], perspective: Perspective) -> str:
    """The table as a perspective sees it at the best moment of the first part of a match, as an SVG document."""
    most = int((len(replayed) - 1) * _SEEN)
    found = [one for decision in replayed[1 : most + 1] for one in highlights_in(decision, perspective.sees_all)]
    moment = max(found, key=lambda one: (one.remark.weight, one.number), default=None)
    decision = replayed[moment.number if moment else most]
    (game, _), lines = opening(header), list[str]()
    names = names_of_players(header)
    if moment is not None:
        lines = wrap(clean(remarked(labelled(moment.event, names), moment.remark.text), 150), 74)[:2]
    scene = scene_of(game, perspective.visible(decision.state, names))
    top = 132.0 + (34.0 * len(lines) + 14 if lines else 0)
    return render("preview.svg", title=game.title, scene=scene, lines=lines, parts=list(_placed(scene, top)))


def preview_file(header: HeaderRecord, replayed: Sequence[LoggedDecision], perspective: Perspective) -> tuple[str, str | bytes]:
    """The preview as the end of a file's name and its content: pixels, which all sites show, where resvg is installed."""
    drawn = preview(header, replayed, perspective)
    return (".preview.png", to_png(drawn, 1)) if find_spec("resvg_py") else (".preview.svg", drawn)


def names_of_players(header: HeaderRecord) -> tuple[str, ...]:
    """What a page calls each player: the name given to it, else its seat."""
    found = called([Seat.of(seat) for seat in header["seats"]])
    return tuple(name or seat_name(seat) for seat, name in enumerate(found))


def _placed(scene: Scene, top: float) -> Iterator[tuple[str, Part, float]]:
    """The parts that have a picture and room, each with its kind and its upper edge."""
    for part in scene.parts:
        height = _height(part)
        if height and top + height <= _BOTTOM:
            yield type(part).__name__, part, top
            top += height + 16


def _height(part: Part) -> float:
    """The height of a part, 0 for one without a picture."""
    match part:
        case Players(rows=rows):
            return 264 if part.cards else 40 + (len(rows) - 1) // 4 * 34
        case CardRow(stacks=stacks) if stacks:
            return 150
        case Grid(rows=rows):
            return 44 * len(rows)
        case Quote(text=text) if text:
            return 46 * len(wrap(f"“{text}”", 58)[:3]) + 8
        case Texts(cards=cards, holder=None) if cards:
            return 104 * ((min(8, len(cards)) - 1) // 4 + 1)
    return 0
