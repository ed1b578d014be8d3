"""Position bias: how much more often a model takes the first, the last or the shortest choice than chance would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runner.record.choice_places import KINDS
from runner.record.log_summary import LogSummary
from runner.standings.deal_counts import RatedMatch
from runner.standings.deal_sums import DealSums
from runner.standings.document_types import BiasData
from runner.standings.figures import rescaled


def position_bias(matches: Iterable[tuple[RatedMatch, LogSummary]]) -> Iterator[BiasData]:
    """The bias of each agent whose choices were shuffled, with an interval over deals."""
    sums = DealSums[tuple[str, str]](3)
    for match, log in matches:
        for seat in log.seats:
            for kind, terms in seat.places.items():
                sums.add((match.kind, match.deal), (seat.name, kind), *terms)
    for agent, kind in sorted(sums.keys, key=lambda key: (key[0], KINDS.index(key[1]))):
        parts = sums.parts((agent, kind))
        answers, taken, expected = parts.sums
        yield {
            "agent": agent,
            "place": kind,
            "answers": round(answers),
            "taken": taken / answers,
            "expected": expected / answers,
            "excess": rescaled(parts.share(1, 0), plus=-expected / answers),
        }
