"""Adjusted win shares: win shares without what they owe to deals and to the choices of bots.

The control variates of a seat's win share are the value of its deal, centred over the deals of the kind of match, and the
correction of AIVAT, whose mean is 0. Their coefficients are those of the least squares within agents, worked out again without
each block of deals for the jackknife (S. Asmussen, P. W. Glynn, Stochastic Simulation, 2007, section V.2).
"""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from games.search.playouts import Shares
from games.statistics.deal_sums import DealSums, Parts, RatedMatch, summed
from games.statistics.document_types import AdjustedData
from games.statistics.figures import FEWEST_FREE, share, unseen


class Luck(NamedTuple):
    """By seat, the value of the deal, and the sum of the corrections at the decisions of bots."""

    values: Shares
    bots: Shares


_RIDGE = 1e-9


LuckyMatch = tuple[RatedMatch, Luck]


_SHARED, _OWN = 5, 4
"""The numbers of terms of all agents together, and of each agent."""


def adjusted(matches: Sequence[LuckyMatch]) -> dict[str, AdjustedData]:
    """The adjusted win share of each agent, and the part of its variance over deals that the adjustment saves."""
    if not matches:
        return {}
    means, sums = _mean_values(matches), DealSums[str](_OWN)
    shared = DealSums[None](_SHARED)
    for match, own in matches:
        deal = match.kind, match.deal
        for agent, x, value, mean, b in zip(match.agents, match.wins, own.values, means[match.kind], own.bots, strict=True):
            d = value - mean
            sums.add(deal, agent, 1.0, x, d, b)
            shared.add(deal, None, x * d, x * b, d * d, d * b, b * b)
    blocks, agents = sums.blocks(), sorted(sums.keys)
    parts = [sums.parts(agent, blocks) for agent in agents]
    together = reduce(Parts.beside, parts, shared.parts(None, blocks))
    values, errors = _shares(together.sums), together.errors(_shares)
    return {
        agent: _adjusted(own, values[at + 1], *errors[at : at + 2])
        for agent, own, at in zip(agents, parts, range(0, len(values), 2), strict=True)
    }


def _adjusted(parts: Parts, value: float, plain_error: float, error: float) -> AdjustedData:
    """An adjusted share counts as many more results as its variance is smaller than that of the plain one."""
    number, deals, free = parts.sums[0], parts.deals(0), parts.free(0)
    value = min(1.0, max(0.0, value))
    gain = (plain_error**2 + unseen(number, deals)) / (error**2 + unseen(number, deals)) if number else 1.0
    saved = 1 - (error / plain_error) ** 2 if plain_error > _RIDGE and free >= FEWEST_FREE else None
    return {"win_share": share(value, error, number * gain, deals, free), "saved": saved}


def _mean_values(matches: Sequence[LuckyMatch]) -> dict[str, list[float]]:
    kinds: dict[str, dict[str, Shares]] = {}
    for match, own in matches:
        kinds.setdefault(match.kind, {})[match.deal] = own.values
    return {kind: [total / len(deals) for total in summed(deals.values())] for kind, deals in kinds.items()}


def _shares(sums: Sequence[float]) -> list[float]:
    """The plain and the adjusted win share of each agent in turn, by the least squares within agents; 0 without a match. `sums`
    has the products that the coefficients need, then the seats, wins, values and luck of each agent."""
    xd, xb, dd, db, bb = sums[:_SHARED]
    agents = [sums[at : at + _OWN] for at in range(_SHARED, len(sums), _OWN)]
    for number, x, d, b in agents:
        if number:
            xd, xb = xd - x * d / number, xb - x * b / number
            dd, db, bb = dd - d * d / number, db - d * b / number, bb - b * b / number
    dd, bb = dd + _RIDGE, bb + _RIDGE
    det = dd * bb - db * db
    deal, bots = (xd * bb - xb * db) / det, (xb * dd - xd * db) / det
    rows = [((x, x - deal * d - bots * b), number) for number, x, d, b in agents]
    return [value / number if number else 0.0 for values, number in rows for value in values]
