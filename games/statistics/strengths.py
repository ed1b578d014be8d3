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
from types import MappingProxyType
from typing import NamedTuple

from games.statistics.deal_sums import Counts, PlacingStage
from games.statistics.document_types import FitData, MeetingData, RatedAgent, SeatData, SpreadData
from games.statistics.figures import FEW
from games.statistics.fit_quality import LineUps, fit_quality
from games.statistics.plackett_luce import (
    POINTS,
    PRIOR,
    WEAK,
    Fit,
    Matrix,
    Prior,
    bias_reduced,
    covariances,
    diagonal,
    fit,
    influence,
    solve,
)

Anchor = tuple[str, float]
"""An agent and the rating it is fixed at."""

MEAN = 1500.0

KindAgent = tuple[str, int]
"""A kind of match and an agent by number."""


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
    kinds: SpreadData | None = None


class Strengths(NamedTuple):
    """The rating of each agent by number, and the covariances of their errors; the quality of the fit if it can be told. If the
    ratings combine several kinds of match, how agents differ between these, and the rating of each kind and agent."""

    ratings: list[float]
    covariances: Matrix
    quality: FitData | None
    spread: SpreadData | None = None
    by_kind: Mapping[KindAgent, float] = MappingProxyType({})

    @classmethod
    def of(cls, counts: Counts, anchor: Anchor | None, prior: Prior = WEAK) -> Strengths:
        """The strengths of a sample of deals. Without an anchor their mean is 1500."""
        agents = counts.agents
        return _Items(counts, agents, range(len(agents)), anchor).fitted(counts.whole, counts.parts, prior)[0]


class _Items(NamedTuple):
    """What strengths are fitted for: the names of items, and the agent of each by number. An agent's strength is the mean of
    those of its items, and is compared with that of the anchor, or with the mean of all agents."""

    counts: Counts
    names: Sequence[str]
    owners: Sequence[int]
    anchor: Anchor | None

    def fitted(
        self, choices: Mapping[PlacingStage, float], blocks: Sequence[Mapping[PlacingStage, float]], prior: Prior
    ) -> tuple[Strengths, Fit]:
        likeliest = fit(choices, len(self.names), prior)
        fitted, weights = bias_reduced(likeliest, choices, prior), self.counts.blocks.weights
        moves = [influence(fitted, block) for block in blocks] if self.counts.blocks.has_errors else []
        quality = fit_quality(LineUps(likeliest, blocks, self.counts.blocks, moves), self.names) if moves else None
        scaled = [self.points([math.sqrt(w) * part for part in move]) for move, w in zip(moves, weights, strict=False)]
        base = MEAN if self.anchor is None else self.anchor[1]
        ratings = [base + points for points in self.points(fitted.strengths)]
        return Strengths(ratings, self._floored(covariances(scaled, len(ratings)), fitted), quality), fitted

    def means(self, values: Sequence[float]) -> list[float]:
        items, own = Counter(self.owners), [0.0] * len(self.counts.agents)
        for owner, value in zip(self.owners, values, strict=False):
            own[owner] += value / items[owner]
        return own

    def points(self, values: Sequence[float]) -> list[float]:
        own, agents = self.means(values), self.counts.agents
        zero = sum(own) / len(own) if self.anchor is None else own[agents.index(self.anchor[0])]
        return [POINTS * (value - zero) for value in own]

    def _floored(self, found: Matrix, fitted: Fit) -> Matrix:
        """The covariances, with errors that are not below the model's for agents with few wins or few defeats."""
        size = fitted.parameters.size
        slopes = list(zip(*(self.points(unit) for unit in diagonal([1.0] * len(self.names))), strict=True))
        known = [0.0] * len(found)
        for item, owner in enumerate(self.owners):
            known[owner] += fitted.curvature[item][item]
        wider = [1.0] * len(found)
        for agent, slope in enumerate(slopes):
            variance, contrast = found[agent][agent], [*slope, *[0.0] * (size - len(slope))]
            if variance > 0 and known[agent] < FEW:
                of_model = sum(side * value for side, value in zip(contrast, solve(fitted.lower, contrast), strict=True))
                wider[agent] = max(1.0, math.sqrt(of_model / variance))
        return [
            [one * its * value for its, value in zip(wider, row, strict=True)] for one, row in zip(wider, found, strict=True)
        ]


LEAST_SPREAD = 1.0
"""In rating points: with less, the kinds count as one."""

GUESSED_SPREAD = 100.0
"""In rating points: the spread where no agent played enough deals of two kinds."""


def combined(counts: Counts, anchor: Anchor | None) -> Strengths:
    spread = _spread(counts)
    items = sorted({(choice.kind, agent) for choice in counts.whole for agent in choice.left})
    number = {item: place for place, item in enumerate(items)}
    deviation = max(LEAST_SPREAD, GUESSED_SPREAD if spread is None else spread) / POINTS
    whole = _Items(counts, [f"{counts.agents[agent]} in {kind}" for kind, agent in items], [own for _, own in items], anchor)
    blocks, prior = [_of_items(part, number) for part in counts.parts], Prior(_precision(items, deviation**2))
    found, fitted = whole.fitted(_of_items(counts.whole, number), blocks, prior)
    zero = found.ratings[0] - POINTS * whole.means(fitted.strengths)[0]
    by_kind = {item: zero + POINTS * value for item, value in zip(items, fitted.strengths, strict=True)}
    return found._replace(spread={"kinds": counts.kinds, "spread": spread}, by_kind=by_kind)


def _of_items(choices: Mapping[PlacingStage, float], number: Mapping[KindAgent, int]) -> dict[PlacingStage, float]:
    numbers: dict[str, dict[int, int]] = {}
    for (kind, agent), place in number.items():
        numbers.setdefault(kind, {})[agent] = place
    return {choice.renumbered(numbers[choice.kind]): times for choice, times in choices.items()}


def _precision(items: Sequence[KindAgent], variance: float) -> Matrix:
    """The inverse of the prior's covariances: `variance` for an item, and for all items of an agent that of its mean."""
    kinds = Counter(agent for _, agent in items)
    return [
        [
            ((place == other) - (1 / (variance * PRIOR + kinds[agent]) if agent == its else 0.0)) / variance
            for other, (_, its) in enumerate(items)
        ]
        for place, (_, agent) in enumerate(items)
    ]


def _spread(counts: Counts) -> float | None:
    """The standard deviation of agents between kinds, in points; None where too few deals were played to tell."""
    found: dict[str, list[tuple[float, float]]] = {}
    for kind in counts.kinds:
        part = counts.of_kind(kind)
        if part.blocks.has_errors:
            apart = Strengths.of(part, None)
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
