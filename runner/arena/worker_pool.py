"""Worker pool: an executor that spreads matches over workers, in processes of this machine or on a cluster."""

from __future__ import annotations

import asyncio
import errno
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from runner.arena.limits_server import LimitsServer
from runner.arena.match_outcome import Outcome, Stop
from runner.arena.messages import Attempted, Denied, Ended, Granted, Logged, Pause, Play, ToTournament, ToWorker
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture
from runner.errors import PausedError, words_of
from runner.llm.budget import Budget
from runner.llm.rate_limiter import RateLimiters
from runner.record.private_files import PRIVATE, make_private_folder

_AHEAD = 2
"""Matches between bots that a worker has at once, so that it never waits for the next."""

_ATTEMPTS = 5
"""A match is put off when this many workers have died under it."""

_PAUSE_SECONDS = 5.0
"""A match that has not paused after this time is left to the end of its worker, which is killed."""

_DEATHS = 5
"""The pool gives up after this many deaths per worker without a match that ended."""

OnBatch = Callable[[Sequence[ToTournament]], None]
OnLost = Callable[[str], None]
"""Called with how a worker died."""


class WorkerHandle(Protocol):
    """The tournament's handle of a worker."""

    def send(self, message: ToWorker) -> None:
        """Send it a message."""

    async def end(self) -> None:
        """End it, by force if necessary."""


StartWorker = Callable[[OnBatch, OnLost], Awaitable[WorkerHandle]]
"""Starts a worker with a callback for its messages and one for its death."""


class PoolWorker:
    """A worker of the pool: the matches it plays and the limits it holds.

    `load` counts its matches, by whether models or programs play in them.
    """

    def __init__(self, limiters: RateLimiters, budget: Budget, progress: Progress, folder: Path) -> None:
        self.load: Counter[bool] = Counter()
        self.handle: WorkerHandle | None = None
        self.is_lost = False
        self.death = ""
        self._playing: dict[str, asyncio.Future[Outcome | None]] = {}
        self._writing: asyncio.Task[None] | None = None
        self._limits = LimitsServer(limiters, budget, self.send)
        self._progress, self._folder = progress, folder

    def send(self, message: ToWorker) -> None:
        """Send it a message, if it is alive."""
        if self.handle is not None and not self.is_lost:
            self.handle.send(message)

    def take(self, batch: Sequence[ToTournament]) -> None:
        """Carry out its messages."""
        for message in batch:
            match message:
                case Ended(outcome):
                    self._when_written(partial(self._end, outcome.fixture.name, outcome))
                case Attempted(agent, outcome):
                    self._progress.note(agent, outcome)
                case Logged():
                    self._writing = asyncio.create_task(self._write(message, self._writing))
                case _:
                    self._limits.take(message)

    def lose(self, how: str) -> None:
        """It died: others play its matches, and its limits are released."""
        self.is_lost, self.death = True, how
        self._limits.close()
        for name in list(self._playing):
            self._when_written(partial(self._end, name, None))

    def play(self, asked: Play) -> asyncio.Future[Outcome | None]:
        """Send it a match; the outcome is None when it dies before the end."""
        future = asyncio.get_running_loop().create_future()
        if self.is_lost:
            future.set_result(None)
        else:
            self._playing[asked.fixture.name] = future
            self.load[asked.fixture.mostly_waits] += 1
            future.add_done_callback(lambda _: self.load.subtract([asked.fixture.mostly_waits]))
            self.send(asked)
        return future

    def _end(self, name: str, outcome: Outcome | None) -> None:
        future = self._playing.pop(name, None)
        if future is not None and not future.done():
            future.set_result(outcome)

    def _when_written(self, then: Callable[[], None]) -> None:
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
        except Exception as error:  # the worker waits for an answer, whatever it is
            why = error.strerror if isinstance(error, OSError) else words_of(error)
            answer = Denied(more.number or 0, PausedError(f"The log {more.name} cannot be written: {why}."))
        if more.number is not None:
            self.send(answer)


class WorkerPool:
    """A number of workers; each match goes to the one with the least load. A worker that dies is replaced, and its matches are
    resumed from their logs."""

    def __init__(
        self,
        start_worker: StartWorker,
        size: int,
        waiting_at_once: int,
        budget: Budget,
        progress: Progress,
        folder: Path,
        *,
        shares_disk: bool = True,
    ) -> None:
        self._start_worker, self._size, self._shares_disk = start_worker, size, shares_disk
        self._waiting_at_once = waiting_at_once
        self._limiters, self._budget, self._progress, self._folder = RateLimiters(), budget, progress, folder
        self._workers: list[PoolWorker] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._deaths = 0
        self._last_failure = "they die"

    @property
    def bots_at_once(self) -> int:
        """How many matches between bots keep every worker busy."""
        return self._size * _AHEAD

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match with some worker. Cancelling pauses it, which is its outcome."""
        for _ in range(_ATTEMPTS):
            begun = b"" if self._shares_disk else await asyncio.to_thread(_begun, self._folder / fixture.name)
            worker = await self._free_worker(fixture.mostly_waits)
            if worker is None:
                return Outcome(fixture, None, Stop.OUTAGE, f"no worker can be started: {self._last_failure}")
            outcome = await self._outcome(worker, Play(fixture, begun))
            if outcome is not None:
                self._deaths = 0
                return outcome
        return Outcome(fixture, None, Stop.OUTAGE, f"the workers that play it die: {self._last_failure}")

    async def close(self) -> None:
        """End all workers."""
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        workers, self._workers = self._workers, []
        await asyncio.gather(*(worker.handle.end() for worker in workers if worker.handle is not None))

    async def _free_worker(self, is_waiting: bool) -> PoolWorker | None:
        """The worker with the least load, as soon as one has room; None when no worker can be started."""
        while self._fill():
            most = -(-self._waiting_at_once // self._size) if is_waiting else _AHEAD
            if free := [worker for worker in self._workers if worker.load[is_waiting] < most]:
                return min(free, key=lambda worker: worker.load.total())
            await self._changed.wait()
        return None

    def _change(self) -> None:
        """Wake all that wait for a free worker."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _fill(self) -> bool:
        """Start the workers that are missing; False when the pool has given up."""
        dead = [worker for worker in self._workers if worker.is_lost]
        self._deaths += len(dead)
        self._last_failure = dead[-1].death if dead else self._last_failure
        self._workers = [worker for worker in self._workers if not worker.is_lost]
        if self._deaths > self._size * _DEATHS:
            self._size = 0
        for _ in range(self._size - len(self._workers) - len(self._starting)):
            task = asyncio.create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)
        return self._size > 0

    async def _start(self) -> None:
        """Start a worker; shrink the pool if it cannot start."""
        worker = PoolWorker(self._limiters, self._budget, self._progress, self._folder)
        try:
            worker.handle = await self._start_worker(worker.take, worker.lose)
        except Exception as error:
            self._last_failure = str(error) or type(error).__name__
            self._size = max(0, self._size - 1)
        else:
            self._workers.append(worker)
        self._change()

    async def _outcome(self, worker: PoolWorker, asked: Play) -> Outcome | None:
        future = worker.play(asked)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            worker.send(Pause(asked.fixture.name))
            await asyncio.wait([future], timeout=_PAUSE_SECONDS)
            paused = future.result() if future.done() else None
            return paused or Outcome(asked.fixture, None, Stop.INTERRUPTED, "interrupted")
        finally:
            self._change()


def _begun(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _put(path: Path, at: int, lines: bytes) -> None:
    """Write the end of a log and sync it to the disk. OSError when the disk does not take all of it: whole lines stay, and at
    most one that is cut off.
    """
    make_private_folder(path.parent)
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    try:
        if os.fstat(log).st_size < at:
            raise OSError(errno.EIO, "the lines before these are missing")
        written = os.pwrite(log, lines, at)
        os.ftruncate(log, at + written)
        if written < len(lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(log)
    finally:
        os.close(log)
