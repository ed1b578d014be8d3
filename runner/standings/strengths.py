"""Strengths: what one fit says of all agents, in rating points, with its errors over deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

from runner.standings.deal_sample import DealSample
from runner.standings.fit_quality import FitQuality, fit_quality
from runner.standings.influence import influence
from runner.standings.linear_system import Matrix, covariances, solve
from runner.standings.plackett_luce import POINTS, Fit, bias_reduced, fit
from runner.standings.rating_types import MEAN, Anchor, KindSpread

FEW = 5.0
"""Information on a log strength, about as many wins or defeats, below which deals tell too little of its error."""


class Strengths(NamedTuple):
    """The rating of each agent by number, and the covariances of their errors; the quality of the fit if it can be told.

    `kinds` is how agents differ between kinds of match, if the ratings combine several.
    """

    ratings: list[float]
    covariances: Matrix
    quality: FitQuality | None
    kinds: KindSpread | None = None

    @classmethod
    def of(cls, sample: DealSample, agents: Sequence[str], anchor: Anchor | None) -> Self:
        """The strengths of a sample of deals. Without an anchor their mean is 1500."""
        likeliest = fit(sample.whole.choices, len(agents))
        fitted = bias_reduced(likeliest, sample.whole.choices)
        blocks = [part.choices for part in sample.parts]
        moves = [influence(fitted, block) for block in blocks] if sample.has_errors else []
        quality = fit_quality(likeliest, blocks, sample.weights, moves, agents) if moves else None
        scale = Scale.of(agents, anchor)
        ratings = [scale.base + points for points in scale.points(fitted.strengths)]
        return cls(ratings, scale.floored(scale.covariances(moves, sample.weights), fitted), quality)


class Scale(NamedTuple):
    """What a strength is compared with: that of an agent by number, or the mean of all; and the rating of that."""

    agents: int
    anchor: int | None
    base: float

    @classmethod
    def of(cls, agents: Sequence[str], anchor: Anchor | None) -> Self:
        """The scale of an anchor."""
        return cls(len(agents), *((None, MEAN) if anchor is None else (agents.index(anchor[0]), anchor[1])))

    def points(self, values: Sequence[float]) -> list[float]:
        """Log strengths in points."""
        own = values[: self.agents]
        zero = sum(own) / self.agents if self.anchor is None else own[self.anchor]
        return [POINTS * (value - zero) for value in own]

    def covariances(self, moves: Sequence[Sequence[float]], weights: Sequence[float]) -> Matrix:
        """The covariances of ratings, from the influence of each block and its weight."""
        scaled = [[math.sqrt(w) * move for move in self.points(found)] for found, w in zip(moves, weights, strict=False)]
        return covariances(scaled, self.agents)

    def floored(self, found: Matrix, fitted: Fit) -> Matrix:
        """The covariances, with errors that are not below the model's for agents with few wins or few defeats."""
        wider = [self._wider(found[agent][agent], agent, fitted) for agent in range(self.agents)]
        return [
            [one * its * value for its, value in zip(wider, row, strict=True)] for one, row in zip(wider, found, strict=True)
        ]

    def _wider(self, variance: float, agent: int, fitted: Fit) -> float:
        if not variance > 0 or fitted.curvature[agent][agent] >= FEW:
            return 1.0
        contrast = [0.0] * fitted.parameters.size
        for other in range(self.agents):
            contrast[other] = -1 / self.agents if self.anchor is None else -float(other == self.anchor)
        contrast[agent] += 1.0
        of_model = POINTS**2 * sum(side * value for side, value in zip(contrast, solve(fitted.lower, contrast), strict=True))
        return max(1.0, math.sqrt(of_model / variance))
