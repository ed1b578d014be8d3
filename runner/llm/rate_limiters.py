"""The gates before all models of a process: one for each model, and one for each key over all its models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from runner.llm.call_errors import AccountProblem
from runner.llm.clock import Clock
from runner.llm.rate_limiter import Gate, Rank
from runner.llm.retry import Policy

KEY_MOST_IN_FLIGHT = 1000
"""Calls under way at once with one key, over all its models: as many as the client keeps connections."""

Held = Literal["key", "model"]


class Way(NamedTuple):
    """What calls have to share for their gates to be the same, and how many of them may be under way at once."""

    base_url: str
    key: str
    model: str
    most: int


class Turns(Protocol):
    """Turns on one way, taken by all matches that use it, wherever the gates themselves are."""

    async def enter(self, rank: Rank) -> None:
        """Wait for a turn. Raises AccountProblem when refused for good, Outage when the wait is too long."""

    def leave(self) -> None:
        """End a turn."""

    def came_through(self) -> None:
        """A call was answered."""

    def hold(self, what: Held, seconds: float | None, began: float) -> None:
        """The endpoint told a call that began then to wait so long, None when it did not say how long."""

    def refuse(self, problem: AccountProblem) -> None:
        """Stop all other calls that the problem reaches."""


class TurnsOf(Protocol):
    """Where turns are had."""

    def __call__(self, way: Way) -> Turns:
        """The turns of one way."""


class Gates:
    """All gates, by way."""

    def __init__(self, policy: Policy | None = None, clock: Clock | None = None) -> None:
        self._policy = policy or Policy()
        self._clock = clock or Clock()
        self._of_keys: dict[tuple[str, str], Gate] = {}
        self._of_models: dict[tuple[str, str, str], Gate] = {}

    def __call__(self, way: Way) -> GateTurns:
        """The turns of one way, at its two gates."""
        of_key = self._of_keys.setdefault(way[:2], self._gate(KEY_MOST_IN_FLIGHT))
        return GateTurns(self._of_models.setdefault(way[:3], self._gate(way.most)), of_key)

    def _gate(self, most: int) -> Gate:
        return Gate(most, self._policy.longest_wait, self._clock)


@dataclass(frozen=True, slots=True)
class GateTurns:
    """Turns at gates of this process."""

    of_model: Gate
    of_key: Gate

    async def enter(self, rank: Rank) -> None:
        """Wait for a turn with the model, then with the key: who waits for the model takes nothing from the key's others."""
        await self.of_model.enter(rank)
        try:
            await self.of_key.enter(rank)
        except BaseException:
            self.of_model.leave()
            raise

    def leave(self) -> None:
        """End a turn."""
        self.of_key.leave()
        self.of_model.leave()

    def came_through(self) -> None:
        """A call was answered: both gates widen."""
        self.of_model.widen()
        self.of_key.widen()

    def hold(self, what: Held, seconds: float | None, began: float) -> None:
        """Hold everybody back at one of the gates."""
        (self.of_key if what == "key" else self.of_model).hold(seconds, began)

    def refuse(self, problem: AccountProblem) -> None:
        """Refuse everybody at one of the gates."""
        if problem.stops != "match":
            (self.of_key if problem.stops == "key" else self.of_model).refuse(problem)
