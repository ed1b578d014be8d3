"""Forfeits: what agents win in matches in which another agent was struck out for invalid answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.standings.deal_blocks import DealBlock, deal_blocks, free_of
from runner.standings.deal_counts import Deal
from runner.standings.document_types import FigureData, ForfeitData
from runner.standings.figures import effective_free, figure, jackknife_error
from runner.standings.rated_match import RatedMatch

Sums = list[float]
"""Of one agent: matches and wins where another one was struck out, and matches and wins elsewhere."""


def forfeits(matches: Sequence[RatedMatch]) -> dict[str, ForfeitData]:
    """The forfeits of each agent."""
    deals: dict[Deal, dict[str, Sums]] = {}
    for match in matches:
        row = deals.setdefault((match.kind, match.deal), {})
        for agent, at, wins in _places(match):
            own = row.setdefault(agent, [0.0] * 4)
            own[at] += 1
            own[at + 1] += wins
    blocks = deal_blocks(deals)
    agents = sorted({agent for row in deals.values() for agent in row})
    return {agent: _of_agent([_sums(agent, block, deals) for block in blocks], blocks) for agent in agents}


def _places(match: RatedMatch) -> Iterator[tuple[str, int, float]]:
    """For each seat its agent, where it counts, and its wins."""
    struck = {match.agents[seat] for seat in match.struck}
    for agent, wins in zip(match.agents, match.wins, strict=True):
        yield agent, 0 if struck - {agent} else 2, wins


def _sums(agent: str, block: DealBlock, deals: dict[Deal, dict[str, Sums]]) -> Sums:
    rows = (deals[deal].get(agent, [0.0] * 4) for deal in block.deals)
    return [sum(column) for column in zip(*rows, strict=True)]


def _of_agent(parts: Sequence[Sums], blocks: Sequence[DealBlock]) -> ForfeitData:
    sums = [sum(column) for column in zip(*parts, strict=True)]
    return {"matches": round(sums[0]), "wins": sums[1], "earned": _earned_data(parts, blocks) if sums[2] else None}


def _earned_data(parts: Sequence[Sums], blocks: Sequence[DealBlock]) -> FigureData:
    error = jackknife_error(parts, [block.weight for block in blocks], _earned)
    free = effective_free([part[0] + part[2] for part in parts], free_of(blocks))
    value = _earned([sum(column) for column in zip(*parts, strict=True)])
    bounds = figure(value, error, free).interval
    return {"value": value, "low": bounds.low if bounds else None, "high": bounds.high if bounds else None}


def _earned(sums: Sequence[float]) -> float:
    """The wins in matches with forfeits beyond what is won in others, per match."""
    matches, wins, others, other_wins = sums
    return (wins - matches * other_wins / others) / (matches + others) if others else 0.0
