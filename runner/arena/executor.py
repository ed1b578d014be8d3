"""Executor: the interface of everything that plays scheduled matches."""

from __future__ import annotations

from typing import Protocol

from runner.arena.match_outcome import Outcome
from runner.arena.schedule import Fixture


class Executor(Protocol):
    """One process, several processes, or a cluster.

    The log of a match is in the tournament's folder when `play` returns. All matches share one set of rate limits and one
    budget.
    """

    @property
    def bots_at_once(self) -> int:
        """How many matches between bots to hand over at once."""

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match, from the end of its log. Cancelling pauses it, which is its outcome."""

    async def close(self) -> None:
        """Release all resources, once no match is running."""
