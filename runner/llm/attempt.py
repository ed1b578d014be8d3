"""One attempt of a call, as it is logged."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from runner.llm.outcome import Delivered, Infrastructure, Outcome, class_name, kind_of
from runner.llm.request import AnswerForm, Body, Habits


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that was sent and what came of it.

    `number` counts from 1 within the call. `body` is the exact body sent. `latency` in seconds; `began` and `ended` on the
    clock's monotonic scale. `charged_usd` and `charged_tokens` are what the budget was charged: the reply's own figures, or
    the worst case where a call may have been billed without an answer (`charge_estimated`); None is an unknown cost.
    """

    number: int
    body: Body
    form: AnswerForm
    habits: Habits
    outcome: Outcome
    latency: float
    began: float
    ended: float
    charged_usd: float | None = None
    charged_tokens: int = 0
    charge_estimated: bool = False

    def to_json(self) -> dict[str, Any]:
        """The attempt as data for a log, free of secrets; without the messages, which the log keeps in its own way."""
        outcome = self.outcome
        reply = outcome.reply
        return {
            "number": self.number,
            "form": self.form.value,
            "habits": self.habits.to_json(),
            "parameters": {name: value for name, value in self.body.items() if name != "messages"},
            "class": class_name(outcome),
            "kind": kind_of(outcome),
            "why": None if isinstance(outcome, Delivered) else outcome.why,
            "retry_after": outcome.retry_after if isinstance(outcome, Infrastructure) else None,
            "reply": reply.to_json() if reply else None,
            "latency": self.latency,
            "charged_usd": self.charged_usd,
            "charged_tokens": self.charged_tokens,
            "charge_estimated": self.charge_estimated,
        }


OnAttempt = Callable[[Attempt], Coroutine[Any, Any, None]]
