"""A process that plays or resumes matches in children, one for each line it reads, so that they can be killed.

A line: the path of the log, a seed, how long a step takes in seconds, the game, the number of players. It answers with
the child's process id, waits for another line and for the child, and answers with its exit status, negative when killed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from runner.match.match_state import MatchEvent
from runner.record.reader import read_sound_part
from tests.match.tables import match
from tests.record.matches import ROUNDS_TO_KILL, erring, gone_on, short


class Slow:
    """A sink that takes its time over every step."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def emit(self, event: MatchEvent) -> None:
        if event.record["kind"] in ("header", "decision"):
            await asyncio.sleep(self._seconds)


async def take_part(path: Path, seed: int, seconds: float, game: str, players: int) -> None:
    """Play the match of a seed into a log, or resume it."""
    if path.exists() and path.stat().st_size:
        if read_sound_part(path).result is not None:
            return  # killed after its last line: there is nothing to resume
        await gone_on(path, erring(game, players), Slow(seconds))
    else:
        await match(game, erring(game, players), seed, path, [Slow(seconds)], **short(game, ROUNDS_TO_KILL)).run()


def main() -> None:
    """Serve until there are no more lines."""
    while line := sys.stdin.readline():
        path, seed, seconds, game, players = line.split()
        child = os.fork()
        if not child:
            asyncio.run(take_part(Path(path), int(seed), float(seconds), game, int(players)))
            os._exit(0)
        print("child", child, flush=True)  # noqa: T201
        sys.stdin.readline()
        print("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
