"""Process worker: a worker in a process of this machine."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import threading
from functools import partial

from runner.arena.ipc import Connection
from runner.arena.messages import End, ToTournament, ToWorker, WorkerConfig
from runner.arena.worker import Worker
from runner.arena.worker_pool import OnBatch, OnLost
from runner.gc_tuning import collect_seldom

_EXIT_SECONDS = 10.0
"""A worker that has not exited after this time is killed."""


_LAST_SECONDS = 0.5
"""A lost process that has not exited after this time is killed."""


class ProcessWorker:
    """The tournament's handle of a worker process."""

    def __init__(self, process: multiprocessing.process.BaseProcess, connection: Connection[ToWorker, ToTournament]) -> None:
        self._process, self._connection = process, connection

    @classmethod
    async def start(cls, config: WorkerConfig, on_batch: OnBatch, on_lost: OnLost) -> ProcessWorker:
        """Start a process."""
        here, there = socket.socketpair()
        process = multiprocessing.get_context("spawn").Process(target=work, args=(there, config), daemon=True)
        _start_without_interrupts(process)
        there.close()
        connection: Connection[ToWorker, ToTournament] = Connection(on_batch, partial(_reap, process, on_lost))
        await connection.open(here)
        return cls(process, connection)

    def send(self, message: ToWorker) -> None:
        """Send it a message."""
        self._connection.send(message)

    async def end(self) -> None:
        """End it; kill it when it does not exit."""
        self._connection.send(End())
        await asyncio.to_thread(self._process.join, _EXIT_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            await asyncio.to_thread(self._process.join)
        self._connection.close()


def _start_without_interrupts(process: multiprocessing.process.BaseProcess) -> None:
    """Start a process that ignores Ctrl-C, which the tournament handles; a new process inherits ignored signals."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, handler)


def _reap(process: multiprocessing.process.BaseProcess, on_lost: OnLost) -> None:
    """Report a lost process once it has exited and its locks on logs are released."""
    process.join(_LAST_SECONDS)
    how = "its connection broke" if process.exitcode is None else f"its exit status is {process.exitcode}"
    process.kill()
    process.join()
    on_lost(f"worker process {process.pid} died ({how})")


def work(end: socket.socket, config: WorkerConfig) -> None:
    """Run a worker: it ignores SIGTERM, which the tournament handles, and exits with the tournament."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    collect_seldom()
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    asyncio.run(_work(end, config))


async def _work(end: socket.socket, config: WorkerConfig) -> None:
    def lost() -> None:
        if not worker.ended.is_set():
            os._exit(1)

    worker = Worker(config, lambda message: connection.send(message))
    connection: Connection[ToTournament, ToWorker] = Connection(worker.take, lost)
    await connection.open(end)
    await worker.ended.wait()
    await worker.close()
    connection.close()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
