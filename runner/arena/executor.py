"""What plays matches: anything that is handed a match and brings its outcome."""

from __future__ import annotations

from typing import Protocol

from runner.arena.match_outcome import Outcome
from runner.arena.schedule import Fixture


class Engine(Protocol):
    """One process, several, or a cluster. The log of each match is in the tournament's folder when its outcome is there;
    all matches of models pass the same gates and spend from the same budget."""

    @property
    def bots_at_once(self) -> int:
        """How many matches between bots are worth handing over at once."""

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match, from where its log ends. When cancelled, the match pauses, and that is its outcome."""

    async def close(self) -> None:
        """Let everything go, once nothing is being played any more."""
