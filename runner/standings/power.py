"""Statistical power: the number of deals that establish a difference between two agents."""

from __future__ import annotations

import math
from typing import TypedDict

from runner.standings.distributions import NORMAL
from runner.standings.document_types import GameData
from runner.standings.standard import ESTABLISHED

POWER = 0.8
"""The probability of finding a difference that exists."""


class PairPower(TypedDict):
    """Two agents, the deals they need (None: unknown), and the standard error of their difference so far."""

    agents: list[str]
    deals: int | None
    error: float | None


def deals_needed(game: GameData, points: float) -> list[PairPower]:
    """For each pair of agents in a game's standings, the deals that establish a difference of `points`.

    n = v (z1 + z2)^2 / d^2, where v is the variance per deal so far (standard error squared times deals) and z1 + z2 are the
    `quantiles` (J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988).
    """
    meetings = game["meetings"]
    found: list[PairPower] = []
    for meeting in meetings:
        error = meeting["error"]
        needed = max(5, math.ceil(error**2 * game["deals"] * (quantiles(len(meetings)) / points) ** 2)) if error else None
        found.append({"agents": meeting["agents"], "deals": needed, "error": error})
    return found


def detectable(error: float, pairs: int) -> float:
    """The smallest difference that matches with this standard error establish with that power."""
    return error * quantiles(pairs)


def quantiles(pairs: int) -> float:
    """The sum of the normal quantiles of the permitted error, which all pairs share, and of the power."""
    return NORMAL.inv_cdf(1 - ESTABLISHED / 2 / pairs) + NORMAL.inv_cdf(POWER)
