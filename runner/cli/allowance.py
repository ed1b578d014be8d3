"""What models may do in a match: spend, err, be recorded or be played back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.agents.spec import people
from runner.errors import UsageError
from runner.record.playback import Playback


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

    def people(self, specs: Sequence[str]) -> tuple[int, ...]:
        """The seats of people who have to answer, which is nobody where answers are recorded."""
        return () if self.playback is not None else people(specs)
