"""Why a call, and with it a match, cannot go on. Each is resumable once its cause is mended; none ever holds a key."""

from __future__ import annotations

from runner.llm.outcome import Scope


class CallStopped(Exception):
    """A call that will not be made or repeated. `kind` is the stable name of the cause."""

    def __init__(self, why: str, kind: str) -> None:
        super().__init__(why)
        self.why = why
        self.kind = kind

    def __reduce__(self) -> tuple[type[CallStopped], tuple[object, ...]]:
        """How it goes to another process."""
        return type(self), (self.why, self.kind)


class Outage(CallStopped):
    """The endpoint could not be got to answer within the policy's patience: pause the match (exit 3)."""


class AccountProblem(CallStopped):
    """Key, credit, model or request refused for good: stop (exit 5). `until` is when it may end, in epoch seconds."""

    def __init__(self, why: str, kind: str, stops: Scope = "match", until: float | None = None) -> None:
        super().__init__(why, kind)
        self.stops = stops
        self.until = until

    def __reduce__(self) -> tuple[type[CallStopped], tuple[object, ...]]:
        """How it goes to another process."""
        return type(self), (self.why, self.kind, self.stops, self.until)


class PromptTooLong(AccountProblem):
    """The prompt does not fit the model's context (catalogue row 31): send less, or stop."""


class InputRefused(Outage):
    """A filter refused the prompt, twice (catalogue rows 25, 26): elide what other players wrote, or pause."""
