"""Plots: the standings as drawings of pages, and as an SVG document. Their shapes are in the template `plots.svg`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from runner.export.pages import macro
from runner.standings.document_types import AgentData, SeatData, StandingsData
from runner.standings.tables import game_title

_STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


class RatingScale(NamedTuple):
    """The ratings at the left and the right end of a plot."""

    low: float
    high: float

    @classmethod
    def of(cls, agents: Sequence[AgentData]) -> RatingScale:
        """The scale that holds all ratings and their intervals."""
        ratings = [agent["rating"] for agent in agents]
        ends = [end for rating in ratings for end in (rating["value"], rating["low"], rating["high"]) if end is not None]
        margin = max(10.0, (max(ends) - min(ends)) * 0.05)
        return cls(min(ends) - margin, max(ends) + margin)

    def at(self, value: float) -> float:
        """The place of a rating, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> range:
        """At most eight round ratings."""
        step = next((step for step in _STEPS if (self.high - self.low) / step <= 8), _STEPS[-1])
        return range(int(self.low // step + 1) * step, int(self.high) + 1, step)


def rating_plot(agents: Sequence[AgentData]) -> Markup:
    """Each agent's rating as a dot on its interval."""
    return macro("plots.svg", "rating_figure")(agents, RatingScale.of(agents))


def rating_picture(found: StandingsData) -> str:
    """The ratings of every game of a folder, one game under the other, as an SVG document."""
    games = [(game_title(game), game["agents"], RatingScale.of(game["agents"])) for game in found["games"]]
    return macro("plots.svg", "rating_document")(games)


def rank_plot(agents: Sequence[AgentData]) -> Markup:
    """The probability of each rank of each agent: a row of squares, darker for higher."""
    return macro("plots.svg", "rank_figure")(agents)


def seat_plot(seats: Sequence[SeatData]) -> Markup:
    """The share of wins of each seat as a bar with its interval; a dashed line marks an even share."""
    kinds = [seat["kind"] for seat in seats]
    named = [f"{seat['kind']}: P-{seat['seat']}" if len({*kinds}) > 1 else f"P-{seat['seat']}" for seat in seats]
    rows = [(name, seat["win_share"], 1 / kinds.count(seat["kind"])) for name, seat in zip(named, seats, strict=True)]
    longest = max(0.01, *(max(share["high"] or share["value"], even) for _, share, even in rows))
    return macro("plots.svg", "seat_figure")(rows, longest)
