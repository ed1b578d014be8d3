"""Reliability plots: what was said against what was won, as text and as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Protocol

_ROWS = 10
_COLUMNS = 40
_SIZE, _GAP, _LEFT, _TOP = 170, 60, 60, 34
_IN_A_ROW = 2
_STYLE = (
    "svg{background:#fff;color:#1b1f24}text{font:11px system-ui,sans-serif;fill:currentColor}"
    ".a{stroke:currentColor;fill:none;opacity:.35}.p{fill:#0969da}.e{stroke:#0969da}"
    "@media(prefers-color-scheme:dark){svg{background:#0d1117;color:#e6edf3}.p{fill:#58a6ff}.e{stroke:#58a6ff}}"
)


class Point(Protocol):
    """A point of the plot, with half of its 95 % interval."""

    @property
    def said(self) -> float: ...
    @property
    def won(self) -> float: ...
    @property
    def reach(self) -> float: ...


def text_plot(points: Sequence[Point]) -> Iterator[str]:
    """A plot of characters: `o` is a point, `.` the diagonal."""
    rows = [[" "] * (_COLUMNS + 1) for _ in range(_ROWS + 1)]
    for column in range(_COLUMNS + 1):
        rows[round(column * _ROWS / _COLUMNS)][column] = "."
    for point in points:
        rows[round(point.won * _ROWS)][round(point.said * _COLUMNS)] = "o"
    for number in range(_ROWS, -1, -1):
        yield f"{number * 100 // _ROWS:4} % |{''.join(rows[number]).rstrip()}"
    yield f"       +{'-' * _COLUMNS}- says, 0 to 100 %"
    yield ""


def svg_plots(plots: Mapping[str, Sequence[Point]]) -> str:
    """All plots in one picture."""
    height = -(-len(plots) // _IN_A_ROW) * (_SIZE + _GAP) + _GAP
    width = _IN_A_ROW * (_SIZE + _GAP + _LEFT) + _LEFT
    body = "".join(_plot(place, title, points) for place, (title, points) in enumerate(plots.items()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        f"<title>Share of the win that reviews say, and share that was won</title><style>{_STYLE}</style>{body}</svg>\n"
    )


def _plot(place: int, title: str, points: Sequence[Point]) -> str:
    down, along = divmod(place, _IN_A_ROW)
    left, top = _LEFT + along * (_SIZE + _GAP + _LEFT), _TOP + down * (_SIZE + _GAP)
    words = (
        f'<text x="{left}" y="{top - 8}">{escape(title)}</text><text x="{left}" y="{top + _SIZE + 13}">says 0 to 100 %</text>'
        f'<text x="{left - 6}" y="{top + 8}" text-anchor="end">100 %</text>'
    )
    frame = f'<path class="a" d="M{left} {top}v{_SIZE}h{_SIZE}v-{_SIZE}zM{left} {top + _SIZE}l{_SIZE} -{_SIZE}"/>'
    return words + frame + "".join(_mark(left, top, point) for point in points)


def _mark(left: int, top: int, point: Point) -> str:
    across, low, high, middle = (
        left + point.said * _SIZE,
        *(top + (1 - min(1.0, max(0.0, share))) * _SIZE for share in (point.won - point.reach, point.won + point.reach)),
        top + (1 - point.won) * _SIZE,
    )
    line = f'<path class="e" d="M{across:.1f} {low:.1f}V{high:.1f}"/>'
    return f'{line}<circle class="p" cx="{across:.1f}" cy="{middle:.1f}" r="3"/>'
