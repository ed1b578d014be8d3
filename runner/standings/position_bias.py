"""Position bias: how much more often a model takes the first, the last or the shortest choice than chance would."""

from __future__ import annotations

from collections.abc import Iterable

from runner.record.choice_places import KINDS
from runner.record.log_summary import LogSummary
from runner.standings.deal_counts import DealSums, RatedMatch, free_of, summed
from runner.standings.document_types import BiasData
from runner.standings.figures import effective_free, figure, ratio_error


def position_bias(matches: Iterable[tuple[RatedMatch, LogSummary]]) -> list[BiasData]:
    """The bias of each agent whose choices were shuffled, with a jackknife interval over deals."""
    sums = DealSums[tuple[str, str]]()
    for match, log in matches:
        for seat in log.seats:
            for kind, terms in seat.places.items():
                sums.add((match.kind, match.deal), (seat.name, kind), *terms)
    blocks, found = sums.blocks(), list[BiasData]()
    weights, free = [block.weight for block in blocks], free_of(blocks)
    for agent, kind in sorted(sums.keys, key=lambda key: (key[0], KINDS.index(key[1]))):
        parts = sums.parts((agent, kind), blocks)
        answers, taken, expected = summed(parts)
        below, above = [part[0] for part in parts], [part[1] - part[2] for part in parts]
        excess = figure((taken - expected) / answers, ratio_error(above, below, weights), effective_free(below, free))
        found.append(
            {
                "agent": agent,
                "place": kind,
                "answers": round(answers),
                "taken": taken / answers,
                "expected": expected / answers,
                "excess": excess,
            }
        )
    return found
