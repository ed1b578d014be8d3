"""What is known and shared about one model at one endpoint with one key: its gates, its habits, its entry in the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.llm.catalogue import ModelEntry
from runner.llm.clock import Clock
from runner.llm.errors import AccountProblem
from runner.llm.gate import Gate, Rank
from runner.llm.outcome import Delivered, Infrastructure, ModelMistake, Outcome
from runner.llm.policy import Policy
from runner.llm.prices import Prices
from runner.llm.request import AS_ASKED, AnswerForm, Habits, Model

if TYPE_CHECKING:
    from runner.llm.endpoint import Endpoint

KEY_MOST_IN_FLIGHT = 1000
"""Calls under way at once with one key, over all its models: as many as the client keeps connections."""

_MOST_LESSONS = 12
"""Changes of habit before an endpoint counts as unusable."""


@dataclass(slots=True)
class Line:
    """The way to one model, shared by every match of the process."""

    endpoint: Endpoint
    gate: Gate
    key_gate: Gate
    habits: Habits = AS_ASKED
    form: AnswerForm | None = None
    entry: ModelEntry | None = None
    lessons: int = 0
    has_answered: bool = False

    def prices(self, model: Model) -> Prices | None:
        """The prices set for the model, else those its endpoint lists."""
        return model.prices or (self.entry.prices if self.entry else None)

    async def enter(self, rank: Rank) -> None:
        """Waits for a turn with the model, then with the key: who waits for the model takes nothing from the key's others."""
        await self.gate.enter(rank)
        try:
            await self.key_gate.enter(rank)
        except BaseException:
            self.gate.leave()
            raise

    def leave(self) -> None:
        """Ends a turn."""
        self.key_gate.leave()
        self.gate.leave()

    def note(self, outcome: Outcome, began: float) -> None:
        """Lets the gates learn from an outcome of a call that began then."""
        match outcome:
            case Delivered() | ModelMistake():
                self.has_answered = True
                self.gate.widen()
                self.key_gate.widen()
            case Infrastructure(holds="key"):
                self.key_gate.hold(outcome.retry_after, began)
            case Infrastructure(holds="model"):
                self.gate.hold(outcome.retry_after, began)
            case _:
                pass

    def refuse(self, problem: AccountProblem) -> None:
        """Stops all other work the problem reaches."""
        if problem.stops == "key":
            self.key_gate.refuse(problem)
        elif problem.stops == "model":
            self.gate.refuse(problem)

    def learn(self, habits: Habits, used: Habits, may_change: bool) -> bool:
        """Takes up new habits unless another call did so meanwhile; False when no more may be learnt."""
        if self.habits is not used:
            return True
        if not may_change or self.lessons >= _MOST_LESSONS:
            return False
        self.habits = habits
        self.lessons += 1
        return True


def new_gate(most: int, policy: Policy, clock: Clock) -> Gate:
    """A gate that lets so many through at most."""
    return Gate(most, policy.longest_wait, clock)
