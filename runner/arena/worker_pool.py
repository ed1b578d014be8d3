"""Workers as an engine, wherever they are."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from runner.arena.limits_server import Desk
from runner.arena.match_outcome import Outcome, Stop
from runner.arena.messages import Attempted, Batch, Denied, Ended, Granted, Logged, Pause, Play, ToWorker
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture
from runner.errors import PausedError
from runner.llm.budget import Budget
from runner.llm.rate_limiters import Gates

_AHEAD = 2
"""Matches between bots that a worker has, so that it never waits."""

_ATTEMPTS = 5
"""How many workers may die under a match before it is put off."""

_DEATHS = 5
"""So many deaths for each worker, with no match ending in between, and there are to be no more workers."""


class Hold(Protocol):
    """The tournament's hold of a worker."""

    def send(self, message: ToWorker) -> None:
        """Tell it something."""

    async def end(self) -> None:
        """Let it go, by force when it does not."""


Hire = Callable[[Callable[[Batch], None], Callable[[], None]], Awaitable[Hold]]
"""Gets a worker, which is handed what takes its messages and what is told when it dies."""


class Member:
    """A worker as the tournament sees it: what it is playing, and what it has borrowed.

    `load` is how many matches it has, by whether models play in them.
    """

    def __init__(self, gates: Gates, budget: Budget, progress: Progress, folder: Path) -> None:
        self.load: Counter[bool] = Counter()
        self._playing: dict[str, asyncio.Future[Outcome | None]] = {}
        self.hold: Hold | None = None
        self.is_lost = False
        self._writing: asyncio.Task[None] | None = None
        self._desk = Desk(gates, budget, self.send)
        self._progress, self._folder = progress, folder

    def send(self, message: ToWorker) -> None:
        """Tell it something, if it lives."""
        if self.hold is not None and not self.is_lost:
            self.hold.send(message)

    def take(self, batch: Batch) -> None:
        """What it says."""
        for message in batch:
            match message:
                case Ended(outcome):
                    self._when_written(partial(self._end, outcome.fixture.name, outcome))
                case Attempted(agent, outcome):
                    self._progress.note(agent, outcome)
                case Logged():
                    self._writing = asyncio.create_task(self._write(message, self._writing))
                case _:
                    self._desk.take(message)

    def lose(self) -> None:
        """It is dead: what it played is for others, what it had borrowed comes back."""
        self.is_lost = True
        self._desk.close()
        for name in list(self._playing):
            self._when_written(partial(self._end, name, None))

    def play(self, asked: Play) -> asyncio.Future[Outcome | None]:
        """Hand it a match; None when it dies before the end."""
        future = asyncio.get_running_loop().create_future()
        if self.is_lost:
            future.set_result(None)
        else:
            self._playing[asked.fixture.name] = future
            self.load[asked.fixture.needs_client] += 1
            future.add_done_callback(lambda _: self.load.subtract([asked.fixture.needs_client]))
            self.send(asked)
        return future

    def _end(self, name: str, outcome: Outcome | None) -> None:
        future = self._playing.pop(name, None)
        if future is not None and not future.done():
            future.set_result(outcome)

    def _when_written(self, then: Callable[[], None]) -> None:
        """Go on when all that it has logged is on the disk."""
        if self._writing is None or self._writing.done():
            then()
        else:
            self._writing.add_done_callback(lambda _: then())

    async def _write(self, more: Logged, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        answer: ToWorker
        try:
            await asyncio.to_thread(_put, self._folder / more.name, more.at, more.lines)
            answer = Granted(more.number or 0, None)
        except OSError as error:
            answer = Denied(more.number or 0, PausedError(f"The log {more.name} cannot be written: {error.strerror}."))
        if more.number is not None:
            self.send(answer)


class Crew:
    """So many workers, each match with the one that has least to do. One that dies is replaced, and its matches go on from
    their logs."""

    def __init__(
        self,
        hire: Hire,
        size: int,
        models_at_once: int,
        budget: Budget,
        progress: Progress,
        folder: Path,
        *,
        shares_disk: bool = True,
    ) -> None:
        self._hire, self._size, self._shares_disk = hire, size, shares_disk
        self._models_at_once = models_at_once
        self._gates, self._budget, self._progress, self._folder = Gates(), budget, progress, folder
        self._members: list[Member] = []
        self._hiring: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._deaths = 0
        self._why_none = "they die"

    @property
    def bots_at_once(self) -> int:
        """How many matches between bots keep every worker busy."""
        return self._size * _AHEAD

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match with some worker. When cancelled, the match pauses, and that is its outcome."""
        for _ in range(_ATTEMPTS):
            begun = b"" if self._shares_disk else await asyncio.to_thread(_begun, self._folder / fixture.name)
            member = await self._with_room(fixture.needs_client)
            if member is None:
                return Outcome(fixture, None, Stop.OUTAGE, f"no worker can be had: {self._why_none}")
            outcome = await self._outcome(member, Play(fixture, begun))
            if outcome is not None:
                self._deaths = 0
                return outcome
        return Outcome(fixture, None, Stop.OUTAGE, "the workers that play it die")

    async def close(self) -> None:
        """Let all workers go."""
        for task in self._hiring:
            task.cancel()
        await asyncio.gather(*self._hiring, return_exceptions=True)
        members, self._members = self._members, []
        await asyncio.gather(*(member.hold.end() for member in members if member.hold is not None))

    async def _with_room(self, for_model: bool) -> Member | None:
        """The worker with least to do of those with room, as soon as there is one; None when no worker can be had."""
        while self._recruit():
            most = -(-self._models_at_once // self._size) if for_model else _AHEAD
            if free := [member for member in self._members if member.load[for_model] < most]:
                return min(free, key=lambda member: member.load.total())
            await self._changed.wait()
        return None

    def _change(self) -> None:
        """Let those who wait for room look again."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _recruit(self) -> bool:
        """See to it that all places are filled, or about to be; False when there are none left."""
        living = [member for member in self._members if not member.is_lost]
        self._deaths += len(self._members) - len(living)
        self._members = living
        if self._deaths > self._size * _DEATHS:
            self._size = 0
        for _ in range(self._size - len(self._members) - len(self._hiring)):
            task = asyncio.create_task(self._hired())
            self._hiring.add(task)
            task.add_done_callback(self._hiring.discard)
        return self._size > 0

    async def _hired(self) -> None:
        """Fill a place. One for which nobody can be had is given up."""
        member = Member(self._gates, self._budget, self._progress, self._folder)
        try:
            member.hold = await self._hire(member.take, member.lose)
        except Exception as error:
            self._why_none = str(error) or type(error).__name__
            self._size = max(0, self._size - 1)
        else:
            self._members.append(member)
        self._change()

    async def _outcome(self, member: Member, asked: Play) -> Outcome | None:
        future = member.play(asked)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            member.send(Pause(asked.fixture.name))
            return await future or Outcome(asked.fixture, None, Stop.INTERRUPTED, "interrupted")
        finally:
            self._change()


def _begun(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _put(path: Path, at: int, lines: bytes) -> None:
    """Write part of a log to where it belongs, as its end, and have it on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.pwrite(log, lines, at)
        os.ftruncate(log, at + len(lines))
        os.fsync(log)
    finally:
        os.close(log)
