"""Match plot: each seat's share of the win, or its points, over the decisions of a match, as an SVG document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.core import Game
from runner.export.page.game_tables import table_of
from runner.export.svg import FAINT, INK, QUIET, SEATS, document, line, path, word
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import Narrator
from runner.screen.perspective import Perspective
from runner.screen.seen_review import SeenReview
from runner.screen.win_shares import percent

_LEFT, _TOP, _WIDTH, _HEIGHT, _LEGEND = 60, 40, 640, 260, 150
_DASHES = ("", "7 4", "2 4", "10 4 2 4")
_STEPS = 4
_LONGEST_NAME = 18


class _Values(NamedTuple):
    """A number of each seat after each decision, from the deal on, with their name."""

    name: str
    lines: Sequence[Sequence[float]]
    is_share: bool


def match_plot(log: Log, eye: Narrator, review: SeenReview | None) -> str:
    """The plot: shares of the win where the view may see them in a review, else what the game's page has in its chart."""
    found = list(decisions(log))
    values = _shares(found, eye.perspective, review) or _numbers(opening(log.header)[0], found)
    game = found[0].state.game.title
    low, high = (0.0, 1.0) if values.is_share else _bounds(values.lines)
    parts = [*_axes(low, high, len(found) - 1, values.is_share), word(_LEFT, 20, f"{game}: {values.name}", anchor="start")]
    for seat in range(log.header["players"]):
        parts += _seat(values.lines, seat, eye.label(seat), (low, high), len(found) - 1)
    return document(f"{game}: {values.name}", parts, _LEFT + _WIDTH + _LEGEND, _TOP + _HEIGHT + 50)


def _shares(found: Sequence[LoggedDecision], perspective: Perspective, review: SeenReview | None) -> _Values | None:
    if review is None:
        return None
    lines = [review.shares(decision.number, decision.state, perspective) for decision in found]
    return _Values("share of the win", [line for line in lines if line], True) if any(lines) else None


def _numbers(game: Game, found: Sequence[LoggedDecision]) -> _Values:
    drawing = table_of(game)
    if drawing.chart is None:
        return _Values("score", [decision.state.scores for decision in found], False)
    return _Values(drawing.chart_name.lower(), [drawing.chart(decision.state.view(None)) for decision in found], False)


def _bounds(lines: Sequence[Sequence[float]]) -> tuple[float, float]:
    values = [value for line in lines for value in line]
    return float(min(0, *values)), float(max(1, *values))


def _axes(low: float, high: float, last: int, is_share: bool) -> list[str]:
    parts = []
    for step in range(_STEPS + 1):
        value = low + (high - low) * step / _STEPS
        y = _TOP + _HEIGHT * (1 - step / _STEPS)
        text = percent(value) if is_share else f"{value:g}"
        parts += [line(_LEFT, y, _LEFT + _WIDTH, y, FAINT), word(_LEFT - 8, y + 4, text, QUIET, "end")]
    bottom = _TOP + _HEIGHT + 20
    ends = [word(_LEFT, bottom, "0", QUIET), word(_LEFT + _WIDTH, bottom, str(last), QUIET)]
    return [*parts, *ends, word(_LEFT + _WIDTH / 2, bottom, "decision", QUIET)]


def _seat(lines: Sequence[Sequence[float]], seat: int, name: str, bounds: tuple[float, float], last: int) -> list[str]:
    """The line of a seat and its name in the legend."""
    low, high = bounds
    width = _WIDTH / max(1, last)
    points = [
        (_LEFT + step * width, _TOP + _HEIGHT * (1 - (line[seat] - low) / (high - low))) for step, line in enumerate(lines)
    ]
    ink, dashes = SEATS[seat % len(SEATS)], _DASHES[seat % len(_DASHES)]
    x, y = _LEFT + _WIDTH + 16, _TOP + 10 + seat * 22
    shown = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    return [path(points, ink, dashes), line(x, y, x + 26, y, ink, 2, dashes), word(x + 32, y + 4, shown, INK, "start")]
