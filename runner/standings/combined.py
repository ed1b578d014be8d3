"""Combined strengths: one rating over several kinds of match, in each of which an agent may be stronger or weaker.

An agent's log strength in a kind is its own mean plus a normal deviation. The spread of the deviations is estimated from
separate fits by the method of moments (R. DerSimonian and N. Laird, Meta-analysis in clinical trials, Controlled Clinical
Trials 7, 1986). A fit of all kinds with that spread as prior shrinks each kind's strengths towards the mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.standings.choice import Choice
from runner.standings.deal_counts import Counts
from runner.standings.deal_sample import DealSample
from runner.standings.fit_quality import fit_quality
from runner.standings.influence import influence
from runner.standings.linear_system import Matrix
from runner.standings.plackett_luce import POINTS, PRIOR, bias_reduced, fit
from runner.standings.rating_types import Anchor, KindSpread
from runner.standings.strengths import Scale, Strengths

LEAST_SPREAD = 1.0
"""In rating points: with less, the kinds count as one."""

GUESSED_SPREAD = 100.0
"""In rating points: the spread where no agent played enough deals of two kinds."""

Item = tuple[str, int]
"""A kind of match and an agent by number."""


def combined(counts: Counts, sample: DealSample, anchor: Anchor | None) -> Strengths:
    """The mean strength of each agent over the kinds of match it played."""
    spread = _spread(counts)
    items = sorted({(choice.kind, agent) for choice in sample.whole.choices for agent in choice.left})
    number = {item: place for place, item in enumerate(items)}
    blocks = [_of_items(part.choices, number) for part in sample.parts]
    deviation = max(LEAST_SPREAD, GUESSED_SPREAD if spread is None else spread) / POINTS
    choices, precision = _of_items(sample.whole.choices, number), _precision(items, deviation**2)
    likeliest = fit(choices, len(items), precision)
    fitted = bias_reduced(likeliest, choices, precision)
    moves = [influence(fitted, block) for block in blocks] if sample.has_errors else []
    names = [f"{counts.agents[agent]} in {kind}" for kind, agent in items]
    quality = fit_quality(likeliest, blocks, sample.weights, moves, names) if moves else None
    scale, agents = Scale.of(counts.agents, anchor), len(counts.agents)
    own = _means(items, fitted.strengths, agents)
    ratings = [scale.base + points for points in scale.points(own)]
    errors = scale.covariances([_means(items, move, agents) for move in moves], sample.weights)
    zero = ratings[0] - POINTS * own[0]
    kinds = {item: zero + POINTS * value for item, value in zip(items, fitted.strengths, strict=True)}
    return Strengths(ratings, errors, quality, KindSpread(spread, kinds))


def _of_items(choices: Mapping[Choice, float], number: Mapping[Item, int]) -> dict[Choice, float]:
    """The same choices, with items in place of agents."""
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
    """The mean of each agent over its items."""
    kinds, sums = Counter(agent for _, agent in items), [0.0] * agents
    for (_, agent), value in zip(items, values, strict=False):
        sums[agent] += value
    return [total / max(1, kinds[agent]) for agent, total in enumerate(sums)]


class _Separate(NamedTuple):
    """An agent's rating in one kind, and the variance of that."""

    rating: float
    variance: float


def _spread(counts: Counts) -> float | None:
    """The standard deviation of agents between kinds, in points; None where too few deals were played to tell."""
    found: dict[str, list[_Separate]] = {}
    for kind in sorted({kind for kind, _ in counts.deals}):
        for agent, one in _separate(counts.of_kind(kind)).items():
            found.setdefault(agent, []).append(one)
    several = [ratings for ratings in found.values() if len(ratings) > 1]
    if not several:
        return None
    squares = sum(_squares(ratings) for ratings in several)
    errors = sum((1 - 1 / len(ratings)) * one.variance for ratings in several for one in ratings)
    free = sum(len(ratings) - 1 for ratings in several) * (1 - 1 / len(several) if len(several) > 1 else 1.0)
    return math.sqrt(max(0.0, (squares - errors) / free))


def _separate(counts: Counts) -> dict[str, _Separate]:
    """The ratings of one kind alone; none with too few deals."""
    sample = DealSample.of(counts)
    if not sample.has_errors:
        return {}
    found = Strengths.of(sample, counts.agents, None)
    return {
        agent: _Separate(found.ratings[number], found.covariances[number][number]) for number, agent in enumerate(counts.agents)
    }


def _squares(ratings: Sequence[_Separate]) -> float:
    mean = sum(one.rating for one in ratings) / len(ratings)
    return sum((one.rating - mean) ** 2 for one in ratings)
