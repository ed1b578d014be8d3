"""The cores of this machine as workers for matches between bots."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from runner.arena.match import House, play
from runner.arena.outcome import Outcome, Stop
from runner.arena.schedule import Fixture
from runner.match.watcher import Watcher
from runner.prompting.pack import PromptPack
from runner.settings import Settings

_AHEAD = 2
"""Matches a worker has waiting, so that it never waits itself."""

_ATTEMPTS = 3


class Pool:
    """A process a core. One that dies is replaced, and its match goes on from its log."""

    def __init__(self, folder: Path, processes: int | None = None) -> None:
        self._folder = folder
        self._processes = processes or len(os.sched_getaffinity(0))
        self.capacity = self._processes * _AHEAD
        self._executor = self._new()

    def _new(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, context, initializer=_begin, initargs=(self._folder,))

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match in another process."""
        for _ in range(_ATTEMPTS):
            executor = self._executor
            try:
                return await asyncio.wrap_future(executor.submit(play_here, fixture))
            except BrokenProcessPool:
                if self._executor is executor:
                    executor.shutdown(wait=False)
                    self._executor = self._new()
        return Outcome(fixture, None, Stop.BUG, "the processes that play it die")

    def close(self) -> None:
        """Let the processes go, once the matches they are at have ended."""
        self._executor.shutdown(cancel_futures=True)


_house: House | None = None


def _begin(folder: Path) -> None:
    """Make this process a worker: deaf to Ctrl-C, which is the parent's to hear, and gone when the parent is."""
    global _house
    _house = House(folder, PromptPack(), Settings())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def play_here(fixture: Fixture) -> Outcome:
    """Play a match in this process, from start to end."""
    assert _house is not None
    return asyncio.run(play(fixture, _house, Watcher()))
