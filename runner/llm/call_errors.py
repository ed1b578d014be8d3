"""Errors that end a call, by who must act. The match can be resumed after each; none ever holds a key."""

from __future__ import annotations

from typing import Literal

from runner.errors import AccountError, Exit, PausedError
from runner.llm.outcome import Scope


class Outage(PausedError):
    """The endpoint gave no answer and the retry policy is exhausted: wait, then resume. `kind` names the last failure."""

    def __init__(self, why: str, kind: str = "") -> None:
        super().__init__(why)
        self.kind = kind


class InputRefused(Outage):
    """A filter refused the prompt twice: leave out what other players wrote, or pause."""


class BudgetSpent(PausedError):
    """The maximum cost of the next call exceeds the rest of the budget: raise the limit in this `unit`, then resume.

    `enough` is a limit with room for as much again.
    """

    def __init__(self, why: str, unit: Literal["usd", "tokens"] = "usd", enough: float = 0.0) -> None:
        super().__init__(why)
        self.unit = unit
        self.enough = enough


class AccountProblem(AccountError):
    """The endpoint refused the key, the account, the model or the request for good.

    `kind` names the refusal, `stops` what it stops, `until` is when it may end, in epoch seconds.
    """

    def __init__(self, why: str, kind: str = "", stops: Scope = "match", until: float | None = None) -> None:
        super().__init__(why)
        self.kind = kind
        self.stops = stops
        self.until = until


class LimitReached(AccountProblem, PausedError):
    """A quota or a spending limit that ends by itself, at `until`: wait, then resume."""

    exit = Exit.PAUSED


class PromptTooLong(AccountProblem):
    """The prompt exceeds the model's context: send less, or stop."""
