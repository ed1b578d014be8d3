"""Rating types: the ratings of a set of matches with what belongs to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from runner.standings.deal_counts import Outcome
from runner.standings.figures import Figure
from runner.standings.fit_quality import FitQuality

Anchor = tuple[str, float]
"""An agent and the rating it is fixed at."""

MEAN = 1500.0


class KindSpread(NamedTuple):
    """How agents differ between kinds of match: the standard deviation in points (None: too few deals to tell), and the rating
    of each kind and agent by number."""

    points: float | None
    ratings: dict[tuple[str, int], float]


class AgentRating(NamedTuple):
    """One agent: its rating, the probability of each rank from first to last, its wins and scores.

    `by_kind` is its rating in each kind of match, where a rating combines several.
    """

    agent: str
    rating: Figure
    ranks: tuple[float, ...]
    matches: int
    win_share: Figure
    mean_score: Figure
    by_kind: Mapping[str, float] = MappingProxyType({})


class PairRating(NamedTuple):
    """Two agents: their outcomes at the same tables, the difference of their ratings, and whether it is established.

    The intervals of all pairs hold together, at 95 percent. `chance` is the probability that any pair of equal agents shows a
    difference that is as large for its `error`.
    """

    first: str
    second: str
    outcome: Outcome
    difference: Figure
    error: float
    chance: float
    is_established: bool


class SeatRating(NamedTuple):
    """A seat of a kind of match: the results of all who sat there."""

    kind: str
    seat: int
    matches: int
    win_share: Figure
    mean_score: Figure


@dataclass(frozen=True, slots=True)
class Rating:
    """The ratings of a set of matches, best agent first. `free` is the degrees of freedom of the intervals."""

    agents: tuple[AgentRating, ...]
    pairs: tuple[PairRating, ...]
    seats: tuple[SeatRating, ...]
    matches: int
    deals: int
    free: int
    fit: FitQuality | None
    kinds: KindSpread | None = None
