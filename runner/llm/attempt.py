"""Attempt: one request of a call, its outcome and what it was charged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from runner.llm.outcome import Outcome
from runner.llm.request import AnswerForm, Body, Capabilities


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that was sent and its outcome.

    `number` counts from 1 within the call. `body` is the exact body sent, without secrets. `latency` is in seconds; `began` and
    `ended` are monotonic times. `charged_usd` and `charged_tokens` are what the budget was charged: the reply's own figures, or
    the worst case where an unanswered call may have been billed (`charge_estimated`). None is an unknown cost.
    """

    number: int
    body: Body
    form: AnswerForm
    capabilities: Capabilities
    outcome: Outcome
    latency: float
    began: float
    ended: float
    charged_usd: float | None = None
    charged_tokens: int = 0
    charge_estimated: bool = False


OnAttempt = Callable[[Attempt], Awaitable[None]]
