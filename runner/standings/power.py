"""How many deals it takes to tell two agents apart."""

from __future__ import annotations

import math
from typing import Any

from runner.standings.distributions import NORMAL
from runner.standings.rating import ESTABLISHED

POWER = 0.8
"""How often a difference that is there is to be found."""


def deals_needed(game: dict[str, Any], points: float) -> list[dict[str, Any]]:
    """For each pair of agents of a game's standings, the deals it takes to establish a difference of so many points.

    From the variance a deal seen so far, v = standard error squared times deals, by the usual n = v (z1 + z2)^2 / d^2:
    z1 is the normal quantile of the error allowed, shared among all pairs, z2 that of the power wanted (J. Cohen,
    Statistical Power Analysis for the Behavioral Sciences, 1988).
    """
    meetings = game["meetings"]
    quantiles = NORMAL.inv_cdf(1 - ESTABLISHED / 2 / len(meetings)) + NORMAL.inv_cdf(POWER)
    found = []
    for meeting in meetings:
        error = meeting["error"]
        known = error is not None and error > 0
        needed = max(5, math.ceil(error**2 * game["deals"] * (quantiles / points) ** 2)) if known else None
        found.append({"agents": meeting["agents"], "deals": needed, "error": error})
    return found


def detectable(error: float, pairs: int) -> float:
    """The smallest difference that so many deals, with this standard error, establish four times out of five."""
    return error * (NORMAL.inv_cdf(1 - ESTABLISHED / 2 / pairs) + NORMAL.inv_cdf(POWER))
