"""Model options: budget, error rate, rated play, recording and playback of a match's models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from runner.agents.settings import Reason
from runner.agents.spec import Spec, people
from runner.errors import UsageError
from runner.match.header import HeaderRecord

if TYPE_CHECKING:
    from runner.record.recorded_answers import Playback


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What holds for all models of a match.

    The budget in USD and in tokens, the error rate of the offline model, whether the match is rated, the file that
    records replies, and the recording that answers instead of models. `reason`: whether all models are asked for reasons; None:
    as their agents say. UsageError for values out of range.
    """

    budget: float | None = None
    budget_tokens: int | None = None
    mistakes: float = 0.0
    is_rated: bool = False
    record: Path | None = None
    playback: Playback | None = None
    reason: Reason | None = None

    def __post_init__(self) -> None:
        if self.budget is not None and not 0 < self.budget < float("inf"):
            raise UsageError(f"--budget {self.budget}: expected more than 0 USD.")
        if self.budget_tokens is not None and self.budget_tokens <= 0:
            raise UsageError(f"--budget-tokens {self.budget_tokens}: expected more than 0 tokens.")
        if self.record is not None and self.record.exists():
            raise UsageError(f"--record {self.record}: the file already exists.")

    @property
    def bounds(self) -> dict[str, float]:
        """The budget as the log has it: `usd`, `tokens`, both or neither."""
        bounds = {"usd": self.budget, "tokens": self.budget_tokens}
        return {name: most for name, most in bounds.items() if most is not None}

    def within_budget_of(self, header: HeaderRecord) -> ModelOptions:
        """The same options, with the budget of a log's header where none is specified."""
        bounds = header.get("budget", {})
        usd = bounds.get("usd") if self.budget is None else self.budget
        tokens = bounds.get("tokens") if self.budget_tokens is None else self.budget_tokens
        return replace(self, budget=usd, budget_tokens=tokens)

    def people(self, specs: Sequence[Spec]) -> tuple[int, ...]:
        """The seats of human players who have to answer; none when answers come from a recording."""
        return () if self.playback is not None else people(specs)
