"""What models may do in a match: spend, err, be recorded or be played back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runner.agents.spec import people
from runner.errors import UsageError
from runner.match.header import HeaderRecord
from runner.record.recorded_answers import Playback


@dataclass(frozen=True, slots=True)
class Models:
    """What holds for all models of a match: the most that may be spent, in USD and in tokens, how often the offline model
    errs, whether they play rated; where their replies are recorded, and whose recorded ones are given instead. UsageError for
    what cannot be."""

    budget: float | None = None
    budget_tokens: int | None = None
    mistakes: float = 0.0
    is_rated: bool = False
    record: Path | None = None
    playback: Playback | None = None

    def __post_init__(self) -> None:
        if self.budget is not None and not 0 < self.budget < float("inf"):
            raise UsageError(f"--budget {self.budget}: it has to be more than 0 USD.")
        if self.budget_tokens is not None and self.budget_tokens <= 0:
            raise UsageError(f"--budget-tokens {self.budget_tokens}: it has to be more than 0 tokens.")
        if self.record is not None and self.record.exists():
            raise UsageError(f"--record {self.record}: the file exists already.")

    @property
    def bounds(self) -> dict[str, float]:
        """The budget as a log has it: `usd`, `tokens`, both or neither."""
        bounds = {"usd": self.budget, "tokens": self.budget_tokens}
        return {name: most for name, most in bounds.items() if most is not None}

    def bounded_as(self, header: HeaderRecord) -> Models:
        """The same, with the budget of a log's header where none was named."""
        bounds = header.get("budget", {})
        usd = bounds.get("usd") if self.budget is None else self.budget
        tokens = bounds.get("tokens") if self.budget_tokens is None else self.budget_tokens
        return replace(self, budget=usd, budget_tokens=tokens)

    def people(self, specs: Sequence[str]) -> tuple[int, ...]:
        """The seats of people who have to answer, which is nobody where answers are recorded."""
        return () if self.playback is not None else people(specs)
