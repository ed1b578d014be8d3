"""Endpoint state: what all calls to one model at one endpoint with one key share and have learnt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runner.llm.model_list import ModelEntry
from runner.llm.outcome import Delivered, Infrastructure, ModelMistake, Outcome
from runner.llm.prices import Prices
from runner.llm.rate_limiter import Learnt, Limits, Priority
from runner.llm.request import UNRESTRICTED, AnswerForm, Capabilities, Model

if TYPE_CHECKING:
    from runner.llm.endpoint import EndpointClient

_MOST_CHANGES = 32
"""Changes of capabilities before an endpoint counts as unusable: more than the general rule and each part of a request take."""


@dataclass(slots=True)
class EndpointState:
    """A connection to one model, its limits, its capabilities and its entry in the endpoint's list."""

    endpoint: EndpointClient
    limits: Limits
    capabilities: Capabilities = UNRESTRICTED
    form: AnswerForm | None = None
    entry: ModelEntry | None = None
    changes: int = 0
    has_answered: bool = False

    def prices(self, model: Model) -> Prices | None:
        """The prices set for the model, else those its endpoint lists."""
        return model.prices or (self.entry.prices if self.entry else None)

    @property
    def canonical_name(self) -> str | None:
        """The endpoint's own name for the model, if its list has one."""
        return self.entry.canonical_name if self.entry else None

    def note(self, outcome: Outcome, began: float) -> None:
        """Adjust the limits to the outcome of a call that began then."""
        match outcome:
            case Delivered() | ModelMistake():
                if not self.has_answered:
                    self.has_answered = True
                    self.limits.learn(Learnt(self.capabilities, True))
                self.limits.succeeded()
            case Infrastructure(holds="key" | "model" as scope):
                self.limits.throttled(scope, outcome.retry_after, began)
            case _:
                pass

    def learn(self, capabilities: Capabilities) -> bool:
        """Take up new capabilities; False when they have changed too often."""
        self.changes += 1
        if self.changes > _MOST_CHANGES:
            return False
        self.capabilities = capabilities
        self.limits.learn(Learnt(capabilities, self.has_answered))
        return True

    async def acquire(self, priority: Priority) -> None:
        """Wait until a call may start, and take up what others learnt meanwhile."""
        learnt = await self.limits.acquire(priority)
        if learnt is not None and learnt.capabilities != self.capabilities:
            self.recall(learnt.capabilities, learnt.has_answered)

    def recall(self, capabilities: Capabilities | None, is_settled: bool) -> None:
        """Take up what an earlier session learnt, unless this one has learnt or heard something itself. `is_settled`: the
        model has answered before, and may not be asked in another way."""
        if self.changes or self.has_answered:
            return
        reasons = self.capabilities.reasons
        self.capabilities = capabilities or self.capabilities
        self.has_answered = is_settled
        if reasons:
            self.note_reasoning()

    def note_reasoning(self) -> None:
        """The model has reasoned by itself."""
        if not self.capabilities.reasons:
            self.capabilities = replace(self.capabilities, reasons=True)
