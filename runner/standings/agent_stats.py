"""Agent statistics: invalid answers, failures, tokens, cost, latency and the game's measures, summed over an agent's seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import games
from runner.record.log_summary import LogSummary, SeatSummary
from runner.standings.document_types import MeasureData


@dataclass(slots=True)
class AgentStats:
    """The totals of one agent over all seats it had."""

    matches: int = 0
    decisions: int = 0
    answers: int = 0
    penalties: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    longest_latency: float = 0.0
    mistakes: Counter[str] = field(default_factory=Counter)
    _measures: dict[str, list[int]] = field(default_factory=dict)

    def add(self, seat: SeatSummary) -> None:
        """Add one seat of one match."""
        self.matches += 1
        self.decisions += seat.decisions
        self.answers += seat.answers
        self.penalties += seat.penalties
        self.failures += seat.failures
        self.prompt_tokens += seat.prompt_tokens
        self.completion_tokens += seat.completion_tokens
        self.cost += seat.cost
        self.seconds += seat.seconds
        self.longest_latency = max(self.longest_latency, seat.longest)
        self.mistakes.update(seat.mistakes)
        for name, (hits, chances) in seat.measures.items():
            found = self._measures.setdefault(name, [0, 0, 0])
            found[0] += hits
            found[1] += chances
            found[2] += 1

    @property
    def mistake_rate(self) -> float:
        """Invalid answers per answer."""
        return self.mistakes.total() / self.answers if self.answers else 0.0

    @property
    def latency(self) -> float:
        """Mean seconds per answer."""
        return self.seconds / self.answers if self.answers else 0.0

    def measures(self, shares: dict[str, bool]) -> dict[str, MeasureData]:
        """The game's measures; `shares` tells which are shares, the others are amounts per match that has the measure."""
        return {
            name: _measure(hits, chances if shares.get(name, True) else matches, shares.get(name, True))
            for name, (hits, chances, matches) in self._measures.items()
        }


def _measure(hits: int, out_of: int, is_share: bool) -> MeasureData:
    return {"value": hits / out_of if out_of else None, "hits": hits, "out_of": out_of, "is_share": is_share}


def agent_stats(logs: Iterable[LogSummary]) -> dict[str, AgentStats]:
    """The statistics of each agent by name."""
    found: dict[str, AgentStats] = {}
    for log in logs:
        for seat in log.seats:
            found.setdefault(seat.name, AgentStats()).add(seat)
    return found


def measure_kinds(names: Sequence[str]) -> dict[str, bool]:
    """Whether each measure of these games is a share; none of a game that is not installed."""
    known = [game for game in games.registered().games if game.name in names]
    return {measure.name: measure.is_share for game in known for measure in game.measures}
