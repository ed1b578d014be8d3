"""Held rating: the rating of one agent whose opponents have ratings that are known and stay fixed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from runner.standings.deal_counts import Counts
from runner.standings.deal_sample import DealSample
from runner.standings.figures import Figure, figure
from runner.standings.influence import influence
from runner.standings.linear_system import diagonal
from runner.standings.plackett_luce import POINTS, PRIOR, bias_reduced, fit
from runner.standings.rated_match import RatedMatch
from runner.standings.rating_types import MEAN
from runner.standings.strengths import Scale

_FIXED = 1e9
"""The precision of the prior of a rating that stays fixed: matches move it by less than a thousandth of a point."""


def held_rating(matches: Sequence[RatedMatch], agent: str, held: Mapping[str, float]) -> Figure:
    """The rating of `agent` against opponents with the ratings `held`, with its interval over deals.

    The scale is that of all ratings: 1500 is a log strength of 0, which is also the mean of the agent's weak prior.
    """
    counts = Counts.of(matches)
    sample, number = DealSample.of(counts), counts.agents.index(agent)
    precision = diagonal([PRIOR if one == agent else _FIXED for one in counts.agents])
    means = [0.0 if one == agent else (held[one] - MEAN) / POINTS for one in counts.agents]
    choices = sample.whole.choices
    fitted = bias_reduced(fit(choices, len(counts.agents), precision, means), choices, precision, means)
    moves = [influence(fitted, part.choices) for part in sample.parts] if sample.has_errors else []
    scale = Scale.of(counts.agents, next(iter(held.items())))
    variance = scale.floored(scale.covariances(moves, sample.weights), fitted)[number][number]
    return figure(scale.base + scale.points(fitted.strengths)[number], math.sqrt(variance), sample.free)
