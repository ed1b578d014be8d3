"""One process as an engine: the tournament's own."""

from __future__ import annotations

from runner.arena.fixture_match import House, play
from runner.arena.match_outcome import Outcome
from runner.arena.progress import FailureSink, Progress
from runner.arena.schedule import Fixture


class Here:
    """Plays everything on the event loop of this process."""

    bots_at_once = 2
    """The one writes its log to the disk while the other is at it."""

    def __init__(self, house: House, progress: Progress) -> None:
        self._house, self._progress = house, progress

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match here. When cancelled, the match pauses, and that is its outcome."""
        return await play(fixture, self._house, [FailureSink(fixture, self._progress.note)])

    async def close(self) -> None:
        """Close the connections to models."""
        if self._house.client is not None:
            await self._house.client.close()
