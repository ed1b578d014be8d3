"""Preview: a moment of a match as a picture for links and galleries, the game's table in large shapes. It shows no ending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.util import find_spec
from textwrap import wrap

from games.core import seat_name
from games.core.scene import LOST, Card, CardRow, Grid, Players, Quote, Scene, Texts
from runner.agents.seat import Seat
from runner.export.svg import SEATS, to_png
from runner.match.header import HeaderRecord
from runner.record.decisions import LoggedDecision
from runner.record.highlights import highlights_in, remarked
from runner.record.replay import opening
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.scene_rich import scene_of
from runner.screen.seat_labels import called, labelled

WIDTH, HEIGHT = 1200, 630
_EDGE, _BOTTOM, _SEEN = 48, 612, 0.7
"""A moment is looked for in this part of a match, so that it does not give the ending away."""
_TONES = {"violet": "#74398f", "slate": "#39404d", "navy": "#1d5a9c", "forest": "#2f6b35", "crimson": "#a8263a"}
_TONES |= {"brown": "#7a4a21", "red": "#b3261e", "blue": "#2a55c9", "yellow": "#8a6700", "green": "#1c6b2f", "teal": "#0f6f78"}
_INK, _QUIET, _PANEL, _FELT, _BACK, _LOST = "#1c1d20", "#5d5f66", "#ffffff", "#e7ebe4", "#465573", "#8b8d92"


def preview(header: HeaderRecord, replayed: Sequence[LoggedDecision], perspective: Perspective) -> str:
    """The table as a perspective sees it at the best moment of the first part of a match, as an SVG document."""
    most = int((len(replayed) - 1) * _SEEN)
    found = [one for decision in replayed[1 : most + 1] for one in highlights_in(decision, perspective.sees_all)]
    moment = max(found, key=lambda one: (one.remark.weight, one.number), default=None)
    decision = replayed[moment.number if moment else most]
    (game, _), words = opening(header), ""
    names = names_of_players(header)
    if moment is not None:
        words = clean(remarked(labelled(moment.event, names), moment.remark.text), 150)
    return "".join(_drawn(game.title, words, scene_of(game, perspective.visible(decision.state, names))))


def preview_file(header: HeaderRecord, replayed: Sequence[LoggedDecision], perspective: Perspective) -> tuple[str, str | bytes]:
    """The preview as the end of a file's name and its content: pixels, which all sites show, where resvg is installed."""
    drawn = preview(header, replayed, perspective)
    return (".preview.png", to_png(drawn, 1)) if find_spec("resvg_py") else (".preview.svg", drawn)


def names_of_players(header: HeaderRecord) -> tuple[str, ...]:
    """What a page calls each player: the name given to it, else its seat."""
    found = called([Seat.of(seat) for seat in header["seats"]])
    return tuple(name or seat_name(seat) for seat, name in enumerate(found))


def _drawn(title: str, words: str, scene: Scene) -> Iterator[str]:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="system-ui, DejaVu Sans, sans-serif">'
    yield f"<title>{escape(title)}</title>{_box(0, 0, WIDTH, HEIGHT, _FELT, 0)}{_text(_EDGE, 72, title, 46, weight=700)}"
    who, width = [], 0.0
    for seat, name in enumerate(scene.names):
        who.append(_text(_EDGE + width, 112, shown := _cut(name, 14), 26, _seat(seat), weight=700))
        width += 16.5 * len(shown) + 28
    yield "".join(who)
    y = 132.0
    if words:
        lines = wrap(words, 74)[:2]
        yield "".join(_text(_EDGE, y + 28 + 34 * place, line, 26, _INK) for place, line in enumerate(lines))
        y += 34.0 * len(lines) + 14
    for part in scene.parts:
        shapes, height = _part(scene, part, y)
        if height and y + height <= _BOTTOM:
            yield "".join(shapes)
            y += height + 16
    yield "</svg>\n"


def _part(scene: Scene, part: object, y: float) -> tuple[list[str], float]:
    """The shapes of a part below `y` and their height, 0 for a part without a picture."""
    room = WIDTH - 2 * _EDGE
    match part:
        case Players(rows=rows) if part.cards:
            each, shapes = room / len(rows), list[str]()
            for place, row in enumerate(rows):
                x, count = _EDGE + place * each, max(2, len(row.cards))
                shapes.append(_box(x, y, each - 14, 264, _PANEL) + _box(x, y, each - 14, 8, _seat(row.seat), 4))
                shapes.append(
                    _text(x + 16, y + 44, _cut(scene.names[row.seat], int(each / 17)), 24, _seat(row.seat), weight=700)
                )
                sums = ", ".join(f"{one.value} {one.name}{'' if one.value == 1 else 's'}" for one in row.counters)
                shapes.append(_text(x + 16, y + 78, _cut(sums, int(each / 13)), 20, _QUIET))
                wide = min(112.0, (each - 46) / count - 8)
                shapes += [_card(card, x + 16 + n * (wide + 8), y + 96, wide, 150) for n, card in enumerate(row.cards)]
            return shapes, 264
        case Players(rows=rows):
            each = room / min(4, len(rows))
            words = (f"{_cut(scene.names[row.seat], 10)}  {row.counters[0].value if row.counters else ''}" for row in rows)
            at = [(_EDGE + n % 4 * each, y + 30 + n // 4 * 34) for n in range(len(rows))]
            shown = [
                _text(x, line, word, 24, _seat(row.seat), weight=700)
                for (x, line), word, row in zip(at, words, rows, strict=True)
            ]
            return shown, 40.0 + (len(rows) - 1) // 4 * 34
        case CardRow(stacks=stacks) if stacks:
            wide = min(112.0, room / len(stacks) - 8)
            return [_card(one.cards[0], _EDGE + n * (wide + 8), y, wide, 150) for n, one in enumerate(stacks)], 150
        case Grid(rows=rows, columns=columns):
            wide, shapes = room / len(columns), []
            for line, (name, cells) in enumerate(rows):
                for place, cell in enumerate(cells):
                    x, top = _EDGE + place * wide, y + line * 44
                    shapes.append(_box(x, top, wide - 6, 38, _QUIET if cell.is_blocked else _tone(name.tone), 6, 0.25))
                    if cell.owner is not None:
                        shapes.append(
                            f'<circle cx="{x + wide / 2 - 3:.0f}" cy="{top + 19:.0f}" r="15" fill="{_seat(cell.owner)}"/>'
                        )
            return shapes, 44.0 * len(rows)
        case Quote(text=text) if text:
            lines = wrap(f"“{text}”", 58)[:3]
            return [_text(_EDGE, y + 40 + 46 * n, line, 36, style="italic") for n, line in enumerate(lines)], 46.0 * len(
                lines
            ) + 8
        case Texts(cards=cards, holder=None) if cards:
            across = min(4, len(cards))
            wide, shapes = room / across, []
            for n, card in enumerate(cards[:8]):
                x, top = _EDGE + n % across * wide, y + n // across * 104
                shapes.append(_box(x, top, wide - 14, 94, _PANEL, 10))
                lines = wrap(card.text, int(wide / 11))[:3]
                shapes += [_text(x + 14, top + 28 + 22 * place, line, 17) for place, line in enumerate(lines)]
            return shapes, 104.0 * ((min(8, len(cards)) - 1) // across + 1)
    return [], 0


def _card(card: Card, x: float, y: float, wide: float, high: float) -> str:
    if card.name is None:
        return _box(x, y, wide, high, _BACK, 10)
    is_owned = card.owner is not None and not card.tone
    drawn = _box(
        x, y, wide, high, _LOST if card.state == LOST else _seat(card.owner or 0) if is_owned else _tone(card.tone), 10
    )
    middle = x + wide / 2
    fit = [min(most, wide * 1.5 / max(1, len(word))) for most, word in ((40.0, card.sign), (40.0 - 23 * is_owned, card.name))]
    sign = _text(middle, y + high / 2, card.sign, fit[0], _PANEL, anchor="middle") if card.sign else ""
    return (
        drawn
        + sign
        + _text(middle, y + high - 16, card.name, min(fit[1], 17 + 12 * (len(card.name) < 3)), _PANEL, anchor="middle")
    )


def _box(x: float, y: float, width: float, height: float, fill: str, radius: float = 12, opacity: float = 1) -> str:
    size = f'x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="{radius:.0f}"'
    return f'<rect {size} fill="{fill}"{f" fill-opacity={chr(34)}{opacity}{chr(34)}" if opacity < 1 else ""}/>'


def _text(x: float, y: float, text: str, size: float, fill: str = _INK, **facts: object) -> str:
    named = {"anchor": "text-anchor", "weight": "font-weight", "style": "font-style"}
    more = "".join(f' {named[name]}="{value}"' for name, value in facts.items())
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" fill="{fill}"{more}>{escape(clean(text, 200))}</text>'


def _seat(seat: int) -> str:
    return SEATS[seat % len(SEATS)]


def _tone(tone: str) -> str:
    return _TONES.get(tone, "#4a5568")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(1, most - 1)]}…"
