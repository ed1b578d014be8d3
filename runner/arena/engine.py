"""What plays matches that need no model: anything that is handed a match and brings its outcome."""

from __future__ import annotations

from typing import Protocol

from runner.arena.outcome import Outcome
from runner.arena.schedule import Fixture


class Engine(Protocol):
    """Workers for matches between bots. The log of each match is in the tournament's folder when its outcome is there."""

    capacity: int
    """How many matches are worth handing over at once."""

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match. Workers that die are replaced."""

    def close(self) -> None:
        """Let the workers go."""
