"""Adjusted win shares: win shares by regression on what is exact about luck, with intervals over deals.

The control variates of a seat's win share are the value of its deal, centred over the deals of the kind of match, and the
correction of AIVAT, whose mean is 0. Their coefficients are those of the least squares within agents, worked out again for each
bootstrap sample (S. Asmussen, P. W. Glynn, Stochastic Simulation, 2007, section V.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import variance
from typing import NamedTuple

from runner.standings.bootstrap import Blocks, blocks_of, interval
from runner.standings.count_matrix import Deal, Vector
from runner.standings.document_types import AdjustedData, FigureData

_OWN, _COMMON = 4, 5
"""The sums of an agent: seats, wins, values, luck; and those of all agents: the products that the coefficients need."""

_RIDGE = 1e-9


class AdjustedMatch(NamedTuple):
    """A match: its deal, and by seat its agents, win shares, the values of the deal and the luck of the bots' decisions."""

    deal: Deal
    agents: Sequence[str]
    wins: Sequence[float]
    values: Sequence[float]
    luck: Sequence[float]


class Coefficients(NamedTuple):
    """How much of the value of the deal and of the luck of bots is in the win share."""

    deal: float
    bots: float


def adjusted(matches: Sequence[AdjustedMatch], draws: int) -> dict[str, AdjustedData]:
    """The adjusted win share of each agent, and the part of its variance over deals that the adjustment saves."""
    agents = sorted({agent for match in matches for agent in match.agents})
    blocks = blocks_of(_rows(matches, agents))
    drawn = list(blocks.draws(draws if interval([0.0], blocks) else 0))
    samples = [(sums, coefficients(sums, len(agents))) for sums in drawn]
    total = blocks.total, coefficients(blocks.total, len(agents))
    return {agent: _agent(place, total, samples, blocks) for place, agent in enumerate(agents)}


def _rows(matches: Sequence[AdjustedMatch], agents: Sequence[str]) -> dict[Deal, Vector]:
    """The sums of each deal."""
    means, number = _mean_values(matches), {agent: place for place, agent in enumerate(agents)}
    rows: dict[Deal, Vector] = {}
    for match in matches:
        row = rows.setdefault(match.deal, [0.0] * (_OWN * len(agents) + _COMMON))
        for seat, agent in enumerate(match.agents):
            x, d, b = match.wins[seat], match.values[seat] - means[match.deal[0]][seat], match.luck[seat]
            _add(row, _OWN * number[agent], (1.0, x, d, b))
            _add(row, _OWN * len(agents), (x * d, x * b, d * d, d * b, b * b))
    return rows


def _mean_values(matches: Sequence[AdjustedMatch]) -> dict[str, list[float]]:
    """For each kind of match and seat the mean value over its deals."""
    deals = {match.deal: match.values for match in matches}
    kinds: dict[str, list[Sequence[float]]] = {}
    for (kind, _), values in deals.items():
        kinds.setdefault(kind, []).append(values)
    return {kind: [sum(seat) / len(seat) for seat in zip(*found, strict=True)] for kind, found in kinds.items()}


def _add(row: Vector, at: int, terms: Sequence[float]) -> None:
    for place, term in enumerate(terms, at):
        row[place] += term


def coefficients(sums: Vector, agents: int) -> Coefficients:
    """The coefficients of the least squares within agents."""
    xd, xb, dd, db, bb = sums[_OWN * agents :]
    for at in range(0, _OWN * agents, _OWN):
        number, x, d, b = sums[at : at + _OWN]
        if number:
            xd, xb = xd - x * d / number, xb - x * b / number
            dd, db, bb = dd - d * d / number, db - d * b / number, bb - b * b / number
    dd, bb = dd + _RIDGE, bb + _RIDGE
    det = dd * bb - db * db
    return Coefficients((xd * bb - xb * db) / det, (xb * dd - xd * db) / det)


def _share(place: int, found: tuple[Vector, Coefficients]) -> tuple[float, float] | None:
    """The plain and the adjusted win share of an agent; None without a match."""
    number, wins, values, luck = found[0][_OWN * place : _OWN * (place + 1)]
    if not number:
        return None
    return wins / number, (wins - found[1].deal * values - found[1].bots * luck) / number


def _agent(
    place: int, total: tuple[Vector, Coefficients], samples: Sequence[tuple[Vector, Coefficients]], blocks: Blocks
) -> AdjustedData:
    shares = [share for sample in samples if (share := _share(place, sample)) is not None]
    plain, better = [one for one, _ in shares], [one for _, one in shares]
    bounds, (_, value) = interval(better, blocks) if better else None, _share(place, total) or (0.0, 0.0)
    figure: FigureData = {"value": value, "low": bounds.low if bounds else None, "high": bounds.high if bounds else None}
    return {"win_share": figure, "saved": _saved(plain, better)}


def _saved(plain: Sequence[float], better: Sequence[float]) -> float | None:
    """The part of the variance that is saved; None without samples."""
    before = variance(plain) if len(plain) > 1 else 0.0
    return 1 - variance(better) / before if before > _RIDGE else None
