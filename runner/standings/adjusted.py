"""Adjusted win shares: win shares by regression on what is exact about luck, with intervals over deals.

The control variates of a seat's win share are the value of its deal, centred over the deals of the kind of match, and the
correction of AIVAT, whose mean is 0. Their coefficients are those of the least squares within agents, worked out again without
each block of deals for the jackknife (S. Asmussen, P. W. Glynn, Stochastic Simulation, 2007, section V.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from runner.standings.deal_blocks import deal_blocks, free_of
from runner.standings.deal_counts import Deal
from runner.standings.document_types import AdjustedData, FigureData
from runner.standings.figures import effective_free, share

_OWN, _COMMON = 4, 5
"""The sums of an agent: seats, wins, values, luck; and those of all agents: the products that the coefficients need."""

_RIDGE = 1e-9

Vector = list[float]


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


def adjusted(matches: Sequence[AdjustedMatch]) -> dict[str, AdjustedData]:
    """The adjusted win share of each agent, and the part of its variance over deals that the adjustment saves."""
    agents = sorted({agent for match in matches for agent in match.agents})
    rows = _rows(matches, agents)
    blocks = deal_blocks(rows)
    parts = [_sum([rows[deal] for deal in block.deals]) for block in blocks]
    sample = _Sample(_sum(parts), parts, [block.weight for block in blocks], free_of(blocks), len(agents))
    return {agent: sample.of(place) for place, agent in enumerate(agents)}


class _Sample:
    """The sums of all deals, and those without each block of deals, with their coefficients."""

    def __init__(self, whole: Vector, parts: Sequence[Vector], weights: Sequence[float], free: int, agents: int) -> None:
        self._parts, self._weights, self._free = parts, weights, free
        self._whole = whole, coefficients(whole, agents)
        rests = [[total - own for total, own in zip(whole, part, strict=True)] for part in parts]
        self._rests = [(rest, coefficients(rest, agents)) for rest in rests]

    def of(self, place: int) -> AdjustedData:
        """The figures of an agent."""
        (_, exact), (plain, error) = _shares(place, *self._whole), self._errors(place)
        value = min(1.0, max(0.0, exact))
        bounds = share(value, error, effective_free([part[_OWN * place] for part in self._parts], self._free)).interval
        found: FigureData = {"value": value, "low": bounds.low if bounds else None, "high": bounds.high if bounds else None}
        return {"win_share": found, "saved": 1 - (error / plain) ** 2 if plain > _RIDGE and bounds else None}

    def _errors(self, place: int) -> tuple[float, float]:
        """The errors of the plain and of the adjusted win share."""
        whole = _shares(place, *self._whole)
        moved = [_shares(place, *rest) for rest in self._rests]
        plain, better = (
            math.sqrt(sum(weight * (one[of] - whole[of]) ** 2 for one, weight in zip(moved, self._weights, strict=True)))
            for of in range(2)
        )
        return plain, better


def _sum(rows: Sequence[Vector]) -> Vector:
    return [sum(column) for column in zip(*rows, strict=True)]


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


def _shares(place: int, sums: Vector, found: Coefficients) -> tuple[float, float]:
    """The plain and the adjusted win share of an agent; 0 without a match."""
    number, wins, values, luck = sums[_OWN * place : _OWN * (place + 1)]
    if not number:
        return 0.0, 0.0
    return wins / number, (wins - found.deal * values - found.bots * luck) / number
