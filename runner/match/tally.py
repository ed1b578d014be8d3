"""What a seat has cost and got wrong so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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

    def add_attempt(self, record: dict[str, Any]) -> None:
        """Count an attempt as it stands in the log."""
        self.failures += record["outcome"] in ("infrastructure", "configuration")
        self.mistakes += record["outcome"] == "mistake"
        reply = record.get("reply") or {}
        usage = reply.get("usage") or {}
        self.prompt_tokens += usage.get("prompt_tokens", 0)
        self.completion_tokens += usage.get("completion_tokens", 0)
        self.cost += reply.get("cost") or 0.0
        self.seconds += reply.get("latency") or 0.0

    def to_json(self) -> dict[str, Any]:
        """The counts that are the same whenever the same answers are given; seconds are not among them."""
        names = [name for name in self.__slots__ if name != "seconds"]
        return {name: getattr(self, name) for name in names}
