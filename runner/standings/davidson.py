"""Davidson model: strengths from pairwise outcomes with ties, fitted all at once, so the order of matches does not matter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

PRIOR = 1 / 36.0
"""The precision of the normal prior of strengths: mean 0, standard deviation 6 (about 1,040 rating points).

It keeps the strength of an agent that won or lost everything finite, and weighs less than a tenth of one match.
"""

_STEPS = 60
_ENOUGH = 1e-9
_LONGEST_STEP = 2.0


class Pair(NamedTuple):
    """The outcomes between two agents, by number: wins of the first, wins of the second, ties."""

    first: int
    second: int
    wins: float
    losses: float
    ties: float


class Strengths(NamedTuple):
    """Natural logarithms of the agents' strengths, and of the tie parameter (None without ties)."""

    values: tuple[float, ...]
    tie: float | None


def fit(pairs: Sequence[Pair], agents: int, start: Strengths | None = None) -> Strengths:
    """The most likely strengths under Davidson's model of paired comparisons with ties, by Newton's method.

    The first of two wins with probability exp(d/2)/Z, they tie with exp(tie)/Z, where d is the difference of their
    strengths and Z the sum over the three outcomes (R. R. Davidson, On Extending the Bradley-Terry Model to Accommodate
    Ties in Paired Comparison Experiments, JASA 65, 1970). The logarithm of its likelihood is concave.
    """
    has_ties = any(pair.ties for pair in pairs)
    point = [*(start.values if start else (0.0,) * agents)]
    if has_ties:
        point.append(start.tie if start and start.tie is not None else 0.0)
    for _ in range(_STEPS):
        gradient, curvature = _derivatives(pairs, point, agents, has_ties)
        step = _solved(curvature, gradient)
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        point = [value + scale * change for value, change in zip(point, step, strict=True)]
        if longest < _ENOUGH:
            break
    mean = sum(point[:agents]) / agents
    return Strengths(tuple(value - mean for value in point[:agents]), point[agents] if has_ties else None)


def _derivatives(
    pairs: Sequence[Pair], point: list[float], agents: int, has_ties: bool
) -> tuple[list[float], list[list[float]]]:
    """The gradient of the logarithm of the posterior, and its curvature (the negative Hessian)."""
    size = agents + has_ties
    gradient = [-PRIOR * value for value in point]
    curvature = [[PRIOR if row == column else 0.0 for column in range(size)] for row in range(size)]
    tie = math.exp(point[agents]) if has_ties else 0.0
    for i, j, wins, losses, ties in pairs:
        up = math.exp((point[i] - point[j]) / 2)
        total = up + 1 / up + tie
        number, lead, decisive = wins + losses + ties, (up - 1 / up) / total, (up + 1 / up) / total
        slope = (wins - losses - number * lead) / 2
        bend = number * (decisive - lead * lead) / 4
        gradient[i] += slope
        gradient[j] -= slope
        curvature[i][i] += bend
        curvature[j][j] += bend
        curvature[i][j] -= bend
        curvature[j][i] -= bend
        if has_ties:
            tied = tie / total
            gradient[agents] += ties - number * tied
            curvature[agents][agents] += number * tied * (1 - tied)
            cross = number * tied * lead / 2
            curvature[i][agents] -= cross
            curvature[agents][i] -= cross
            curvature[j][agents] += cross
            curvature[agents][j] += cross
    return gradient, curvature


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a symmetric positive definite system, by Gaussian elimination; both arguments are used up."""
    size = len(right)
    for column in range(size):
        pivot = matrix[column]
        for row in range(column + 1, size):
            factor = matrix[row][column] / pivot[column]
            if factor:
                line = matrix[row]
                for place in range(column, size):
                    line[place] -= factor * pivot[place]
                right[row] -= factor * right[column]
    for row in reversed(range(size)):
        line = matrix[row]
        for column in range(row + 1, size):
            right[row] -= line[column] * right[column]
        right[row] /= line[row]
    return right


def connected(pairs: Sequence[Pair], agents: int) -> list[int]:
    """The group of each agent, by number: agents that a chain of common matches connects are in one group."""
    group = list(range(agents))
    for pair in pairs:
        if pair.wins + pair.losses + pair.ties:
            old, new = group[pair.second], group[pair.first]
            group = [new if one == old else one for one in group]
    return group
