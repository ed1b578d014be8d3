"""Plots: the standings as SVG drawings."""

from __future__ import annotations

from runner.export.svg import BACK, FAINT, INK, MARK, QUIET, box, document, dot, figure, line, moved, word
from runner.screen.safe_text import clean
from runner.standings.document_types import AgentData, SeatData, StandingsData
from runner.standings.tables import game_title

_LEFT, _PLOT_WIDTH, _ROW, _SQUARE = 190, 600, 30, 36
_WIDTH = _LEFT + _PLOT_WIDTH + 30
_LONGEST_NAME = 28
_GAP = 24
_STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


def rating_plot(agents: list[AgentData]) -> str:
    """Each agent's rating as a dot on its interval, as a part of an HTML page."""
    parts, height = _ratings(agents)
    return figure("Ratings with 95 % intervals", parts, _WIDTH, height)


def rating_picture(found: StandingsData) -> str:
    """The ratings of every game of a folder, one game under the other, as an SVG document."""
    parts = list[str]()
    top = float(_GAP)
    for game in found["games"]:
        drawn, height = _ratings(game["agents"])
        parts.append(word(_LEFT, top, f"{game_title(game)}: ratings with 95 % intervals", anchor="start"))
        parts.append(moved(drawn, top + _GAP / 2))
        top += height + 2 * _GAP
    return document("Ratings with 95 % intervals", parts, _WIDTH, top)


def _ratings(agents: list[AgentData]) -> tuple[list[str], float]:
    """The shapes of the ratings, and their height."""
    ratings = [agent["rating"] for agent in agents]
    ends = [end for rating in ratings for end in (rating["value"], rating["low"], rating["high"])]
    bounds = [end for end in ends if end is not None]
    margin = max(10.0, (max(bounds) - min(bounds)) * 0.05)
    low, high = float(min(bounds) - margin), float(max(bounds) + margin)

    width = high - low

    def at(value: float) -> float:
        return _LEFT + (value - low) / width * _PLOT_WIDTH

    bottom = _ROW * len(agents) + 10
    parts = []
    for tick in _ticks(low, high):
        parts += [line(at(tick), 6, at(tick), bottom, FAINT), word(at(tick), bottom + 16, str(tick), QUIET)]
    for place, agent in enumerate(agents):
        y, rating = _ROW * place + 22, agent["rating"]
        if rating["low"] is not None and rating["high"] is not None:
            parts.append(line(at(rating["low"]), y, at(rating["high"]), y, MARK, 3))
        parts += [dot(at(rating["value"]), y), _label(agent["agent"], y)]
    return parts, bottom + 24


def rank_plot(agents: list[AgentData]) -> str:
    """The probability of each rank of each agent: a row of squares, darker for higher."""
    parts = [word(_LEFT + _SQUARE * (rank + 0.5), 14, str(rank + 1), QUIET) for rank in range(len(agents))]
    for place, agent in enumerate(agents):
        y = 20 + _ROW * place
        parts.append(_label(agent["agent"], y + 14))
        for rank, probability in enumerate(agent["ranks"]):
            x = _LEFT + _SQUARE * rank
            parts.append(box(x, y, _SQUARE - 2, _ROW - 3, probability))
            if probability >= 0.005:
                ink = BACK if probability > 0.5 else INK
                parts.append(word(x + _SQUARE / 2 - 1, y + 18, f"{probability * 100:.0f}", ink))
    return figure("Probability of each rank, in percent", parts, _WIDTH, 26 + _ROW * len(agents))


def seat_plot(seats: list[SeatData]) -> str:
    """The share of wins of each seat as a bar with its interval; a dashed line marks an even share."""
    shares = [seat["win_share"] for seat in seats]
    scale = _PLOT_WIDTH / max(
        0.01, *(share["high"] or share["value"] for share in shares), *(_even(seats, seat) for seat in seats)
    )
    parts, has_kinds = list[str](), len({seat["kind"] for seat in seats}) > 1
    for place, seat in enumerate(seats):
        y, share = _ROW * place + 8, seat["win_share"]
        name = f"{seat['kind']}: P-{seat['seat']}" if has_kinds else f"P-{seat['seat']}"
        parts += [_label(name, y + 9), box(_LEFT, y, share["value"] * scale, 18, 0.45)]
        if share["low"] is not None and share["high"] is not None:
            parts.append(line(_LEFT + share["low"] * scale, y + 9, _LEFT + share["high"] * scale, y + 9, INK, 2))
        even = _LEFT + _even(seats, seat) * scale
        parts.append(line(even, y - 3, even, y + 21, QUIET, dashes="3 3"))
    return figure("Share of wins by seat; dashed: an even share", parts, _WIDTH, _ROW * len(seats) + 10)


def _even(seats: list[SeatData], seat: SeatData) -> float:
    return 1.0 / sum(other["kind"] == seat["kind"] for other in seats)


def _label(text: str, y: float) -> str:
    name = clean(text)
    shown = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
    return word(_LEFT - 10, y + 4, shown, anchor="end")


def _ticks(low: float, high: float) -> range:
    step = next((step for step in _STEPS if (high - low) / step <= 8), _STEPS[-1])
    return range(int(low // step + 1) * step, int(high) + 1, step)
