"""Influence: how the fitted strengths move when a block of deals is left out, for errors that allow for what blocks share.

The jackknife over clusters, CV3 of J. G. MacKinnon, M. O. Nielsen and M. D. Webb, Cluster-robust inference: A guide to
empirical practice, Journal of Econometrics 232, 2023. Each fit without a block is one Newton step from the fit of all.
"""

from __future__ import annotations

from collections.abc import Mapping

from runner.standings.choice import Choice
from runner.standings.linear_system import factor, solve
from runner.standings.plackett_luce import Fit


def influence(fitted: Fit, block: Mapping[Choice, float]) -> list[float]:
    """What each parameter loses without the choices of a block."""
    gradient = [0.0] * fitted.parameters.size
    rest = [row.copy() for row in fitted.curvature]
    for choice, number in block.items():
        for place, share in fitted.parameters.observed(choice):
            gradient[place] += number * share
        parameters, mean, covariance = fitted.expected[choice.kind, choice.left].moments
        for place, share, line in zip(parameters, mean, covariance, strict=True):
            gradient[place] -= number * share
            row = rest[place]
            for other, bend in zip(parameters, line, strict=True):
                row[other] -= number * bend
    return solve(factor(rest), gradient)
