"""Local executor: plays matches on the event loop of the tournament's own process."""

from __future__ import annotations

from runner.arena.match_outcome import Outcome
from runner.arena.match_player import MatchPlayer
from runner.arena.progress import FailureSink, Progress
from runner.arena.schedule import Fixture


class LocalExecutor:
    """Plays everything in this process."""

    bots_at_once = 2
    """One match computes while the other's log is written to the disk."""

    def __init__(self, player: MatchPlayer, progress: Progress) -> None:
        self._player, self._progress = player, progress

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match. Cancelling pauses it, which is its outcome."""
        return await self._player.play(fixture, FailureSink(fixture, self._progress.note))

    async def close(self) -> None:
        """Close the connections to models."""
        await self._player.close()
