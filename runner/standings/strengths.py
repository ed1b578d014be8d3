"""Strengths: what one fit says of all agents, in rating points, with its errors over deals.

Over several kinds of match, an agent's log strength in a kind is its own mean plus a normal deviation. The spread of the
deviations is estimated from separate fits by the method of moments (R. DerSimonian and N. Laird, Meta-analysis in clinical
trials, Controlled Clinical Trials 7, 1986). A fit of all kinds with that spread as prior shrinks each kind's strengths towards
the mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from runner.standings.deal_counts import Counts, PlacingStage
from runner.standings.document_types import FitData, MeetingData, RatedAgent, SeatData
from runner.standings.figures import DealSample
from runner.standings.fit_quality import fit_quality
from runner.standings.linear_system import Matrix, covariances, solve
from runner.standings.plackett_luce import POINTS, PRIOR, Fit, Prior, bias_reduced, fit, influence

Anchor = tuple[str, float]
"""An agent and the rating it is fixed at."""

MEAN = 1500.0


class KindSpread(NamedTuple):
    """How agents differ between kinds of match: the standard deviation in points (None: too few deals to tell), and the rating
    of each kind and agent by number."""

    points: float | None
    ratings: dict[tuple[str, int], float]

    @property
    def names(self) -> list[str]:
        """The kinds of match."""
        return sorted({kind for kind, _ in self.ratings})


@dataclass(frozen=True, slots=True)
class Rating:
    """The ratings of a set of matches, best agent first. `free` is the degrees of freedom of the intervals."""

    agents: list[RatedAgent]
    pairs: list[MeetingData]
    seats: list[SeatData]
    matches: int
    deals: int
    free: int
    fit: FitData | None
    kinds: KindSpread | None = None


FEW = 5.0
"""Information on a log strength, about as many wins or defeats, below which deals tell too little of its error."""


class Strengths(NamedTuple):
    """The rating of each agent by number, and the covariances of their errors; the quality of the fit if it can be told.
    `kinds` is how agents differ between kinds of match, if the ratings combine several."""

    ratings: list[float]
    covariances: Matrix
    quality: FitData | None
    kinds: KindSpread | None = None

    @classmethod
    def of(cls, sample: DealSample, agents: Sequence[str], anchor: Anchor | None, *prior: Prior) -> Self:
        """The strengths of a sample of deals. Without an anchor their mean is 1500."""
        (fitted, moves, quality), scale = _fitted(sample, sample.whole, sample.parts, agents, *prior), Scale.of(agents, anchor)
        ratings = [scale.base + points for points in scale.points(fitted.strengths)]
        return cls(ratings, scale.floored(scale.covariances(moves, sample.weights), fitted), quality)


def _fitted(
    sample: DealSample,
    choices: Mapping[PlacingStage, float],
    blocks: Sequence[Mapping[PlacingStage, float]],
    names: Sequence[str],
    *prior: Prior,
) -> tuple[Fit, list[list[float]], FitData | None]:
    """The fit of the choices among named items, the influence of each block, and the quality of the fit."""
    likeliest = fit(choices, len(names), *prior)
    fitted = bias_reduced(likeliest, choices, *prior)
    moves = [influence(fitted, block) for block in blocks] if sample.has_errors else []
    return fitted, moves, fit_quality(likeliest, blocks, sample.weights, moves, names) if moves else None


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


LEAST_SPREAD = 1.0
"""In rating points: with less, the kinds count as one."""

GUESSED_SPREAD = 100.0
"""In rating points: the spread where no agent played enough deals of two kinds."""

Item = tuple[str, int]
"""A kind of match and an agent by number."""


def combined(counts: Counts, sample: DealSample, anchor: Anchor | None) -> Strengths:
    """The mean strength of each agent over the kinds of match it played."""
    spread = _spread(counts)
    items = sorted({(choice.kind, agent) for choice in sample.whole for agent in choice.left})
    number = {item: place for place, item in enumerate(items)}
    blocks = [_of_items(part, number) for part in sample.parts]
    deviation = max(LEAST_SPREAD, GUESSED_SPREAD if spread is None else spread) / POINTS
    names = [f"{counts.agents[agent]} in {kind}" for kind, agent in items]
    choices, prior = _of_items(sample.whole, number), Prior(_precision(items, deviation**2))
    fitted, moves, quality = _fitted(sample, choices, blocks, names, prior)
    scale, agents = Scale.of(counts.agents, anchor), len(counts.agents)
    own = _means(items, fitted.strengths, agents)
    ratings = [scale.base + points for points in scale.points(own)]
    errors = scale.covariances([_means(items, move, agents) for move in moves], sample.weights)
    zero = ratings[0] - POINTS * own[0]
    kinds = {item: zero + POINTS * value for item, value in zip(items, fitted.strengths, strict=True)}
    return Strengths(ratings, errors, quality, KindSpread(spread, kinds))


def _of_items(choices: Mapping[PlacingStage, float], number: Mapping[Item, int]) -> dict[PlacingStage, float]:
    numbers: dict[str, dict[int, int]] = {}
    for (kind, agent), place in number.items():
        numbers.setdefault(kind, {})[agent] = place
    return {choice.renumbered(numbers[choice.kind]): times for choice, times in choices.items()}


def _precision(items: Sequence[Item], variance: float) -> Matrix:
    """The inverse of the prior's covariances: `variance` for an item, and for all items of an agent that of its mean."""
    kinds = Counter(agent for _, agent in items)
    return [
        [
            ((place == other) - (1 / (variance * PRIOR + kinds[agent]) if agent == its else 0.0)) / variance
            for other, (_, its) in enumerate(items)
        ]
        for place, (_, agent) in enumerate(items)
    ]


def _means(items: Sequence[Item], values: Sequence[float], agents: int) -> list[float]:
    kinds, sums = Counter(agent for _, agent in items), [0.0] * agents
    for (_, agent), value in zip(items, values, strict=False):
        sums[agent] += value
    return [total / max(1, kinds[agent]) for agent, total in enumerate(sums)]


def _spread(counts: Counts) -> float | None:
    """The standard deviation of agents between kinds, in points; None where too few deals were played to tell."""
    found: dict[str, list[tuple[float, float]]] = {}
    for kind in sorted({kind for kind, _ in counts.deals}):
        part = counts.of_kind(kind)
        sample = DealSample.of(part)
        if sample.has_errors:
            apart = Strengths.of(sample, part.agents, None)
            for number, agent in enumerate(part.agents):
                found.setdefault(agent, []).append((apart.ratings[number], apart.covariances[number][number]))
    several = [kinds for kinds in found.values() if len(kinds) > 1]
    if not several:
        return None
    squares = errors = 0.0
    for kinds in several:
        mean = sum(rating for rating, _ in kinds) / len(kinds)
        squares += sum((rating - mean) ** 2 for rating, _ in kinds)
        errors += (1 - 1 / len(kinds)) * sum(variance for _, variance in kinds)
    free = sum(len(kinds) - 1 for kinds in several) * (1 - 1 / len(several) if len(several) > 1 else 1.0)
    return math.sqrt(max(0.0, (squares - errors) / free))
