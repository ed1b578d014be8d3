"""Processes of this machine as workers."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from functools import partial

from runner.arena.ipc import Wire
from runner.arena.messages import Batch, Brief, End, ToWorker
from runner.arena.worker import Worker
from runner.gc_tuning import collect_seldom

_FAREWELL = 10.0
"""Seconds a worker may take to end."""


class LocalWorker:
    """The tournament's hold of a worker that is a process of this machine."""

    def __init__(self, process: multiprocessing.process.BaseProcess, wire: Wire) -> None:
        self._process, self._wire = process, wire

    @classmethod
    async def hire(cls, brief: Brief, on_batch: Callable[[Batch], None], on_lost: Callable[[], None]) -> LocalWorker:
        """Start a process."""
        here, there = socket.socketpair()
        process = multiprocessing.get_context("spawn").Process(target=work, args=(there, brief), daemon=True)
        _start_deaf(process)
        there.close()
        gone = partial(_bury, process, on_lost)
        return cls(process, await Wire.over(here, on_batch, gone))

    def send(self, message: ToWorker) -> None:
        """Tell it something."""
        self._wire.send(message)

    async def end(self) -> None:
        """Let it go, by force when it does not."""
        self._wire.send(End())
        await asyncio.to_thread(self._process.join, _FAREWELL)
        if self._process.exitcode is None:
            self._process.kill()
            await asyncio.to_thread(self._process.join)
        self._wire.close()


def _start_deaf(process: multiprocessing.process.BaseProcess) -> None:
    """Start a process that never hears Ctrl-C, which is the tournament's to hear: what is ignored stays so in a new process."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, heard)


def _bury(process: multiprocessing.process.BaseProcess, on_lost: Callable[[], None]) -> None:
    """Tell of a process that has hung up when it is gone altogether, and with it its locks on logs."""
    process.kill()
    process.join()
    on_lost()


def work(end: socket.socket, brief: Brief) -> None:
    """Be a worker: deaf to SIGTERM, which is the tournament's to hear, and gone when the tournament is."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    collect_seldom()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    asyncio.run(_work(end, brief))


async def _work(end: socket.socket, brief: Brief) -> None:
    def lost() -> None:
        if not worker.ended.is_set():
            os._exit(1)

    wires: list[Wire] = []
    worker = Worker(brief, lambda message: wires[0].send(message))
    wires.append(await Wire.over(end, worker.take, lost))
    await worker.ended.wait()
    await worker.close()
    wires[0].close()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
