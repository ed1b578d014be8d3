"""What is known and shared about one model at one endpoint with one key: its turns, its habits, its entry in the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.llm.model_list import ModelEntry
from runner.llm.outcome import Delivered, Infrastructure, ModelMistake, Outcome
from runner.llm.prices import Prices
from runner.llm.rate_limiters import Turns
from runner.llm.request import AS_ASKED, AnswerForm, Habits, Model

if TYPE_CHECKING:
    from runner.llm.endpoint import Endpoint

_MOST_LESSONS = 12
"""Changes of habit before an endpoint counts as unusable."""


@dataclass(slots=True)
class Line:
    """The way to one model, shared by every match of the process."""

    endpoint: Endpoint
    turns: Turns
    habits: Habits = AS_ASKED
    form: AnswerForm | None = None
    entry: ModelEntry | None = None
    lessons: int = 0
    has_answered: bool = False

    def prices(self, model: Model) -> Prices | None:
        """The prices set for the model, else those its endpoint lists."""
        return model.prices or (self.entry.prices if self.entry else None)

    def note(self, outcome: Outcome, began: float) -> None:
        """Lets the gates learn from an outcome of a call that began then."""
        match outcome:
            case Delivered() | ModelMistake():
                self.has_answered = True
                self.turns.came_through()
            case Infrastructure(holds="key" | "model" as what):
                self.turns.hold(what, outcome.retry_after, began)
            case _:
                pass

    def learn(self, habits: Habits, used: Habits, may_change: bool) -> bool:
        """Takes up new habits unless another call did so meanwhile; False when no more may be learnt."""
        if self.habits is not used:
            return True
        if not may_change or self.lessons >= _MOST_LESSONS:
            return False
        self.habits = habits
        self.lessons += 1
        return True
