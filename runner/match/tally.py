"""Seat tally: what a seat has done, cost and got wrong so far."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

from runner.match.records import AttemptRecord, DecisionRecord, EarlierPlayer


@dataclass(slots=True)
class Tally:
    """Counts of one seat. `cost` in USD, `seconds` of waiting for replies."""

    decisions: int = 0
    forced: int = 0
    mistakes: int = 0
    penalties: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def add_attempt(self, record: AttemptRecord) -> None:
        """Count an attempt."""
        self.failures += record["outcome"] in ("infrastructure", "configuration")
        self.mistakes += record["outcome"] == "mistake"
        reply = record.get("reply") or {}
        usage = reply.get("usage") or {}
        self.prompt_tokens += usage.get("prompt_tokens", 0)
        self.completion_tokens += usage.get("completion_tokens", 0)
        self.cost += reply.get("cost") or 0.0
        self.seconds += reply.get("latency") or 0.0

    def add_decision(self, record: DecisionRecord) -> None:
        """Count a decision or a strike-out."""
        is_penalty = record["how"] == "strike_out"
        self.penalties += is_penalty
        self.decisions += not is_penalty
        self.forced += record["how"] == "forced"

    def to_json(self) -> dict[str, float]:
        """The counts that are the same whenever the same answers are given; seconds are not among them."""
        return {name: count for name, count in asdict(self).items() if name != "seconds"}


class EarlierPlayers(NamedTuple):
    """The players who had a seat before its last one, and how many attempts they made together."""

    attempts: int = 0
    players: tuple[EarlierPlayer, ...] = ()

    def joined_by(self, spec: str, name: str, attempts: int, tally: Tally) -> EarlierPlayers:
        """These and another player, who made `attempts` attempts that add up to `tally`."""
        player: EarlierPlayer = {
            "spec": spec,
            "name": name,
            "mistakes": tally.mistakes,
            "failures": tally.failures,
            "prompt_tokens": tally.prompt_tokens,
            "completion_tokens": tally.completion_tokens,
            "cost": tally.cost,
        }
        return EarlierPlayers(self.attempts + attempts, (*self.players, player))
