"""Worker processes: they share work of many jobs, and end at once when the caller stops."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from runner.cpus import available_cpus
from runner.errors import PausedError
from runner.gc_tuning import collect_seldom

Job = TypeVar("Job")
Result = TypeVar("Result")

_AHEAD = 3
"""Chunks in order that are begun for each process before the first result is taken."""


def in_processes(work: Callable[[Job], Result], jobs: Sequence[Job]) -> Generator[Result]:
    """The results of all jobs, in any order. A single job, a single processor and a worker process need no further processes.

    Closing the iterator ends the processes at once. PausedError when one of them was killed.
    """
    workers = _useful_workers(jobs)
    if workers < 2:
        yield from map(work, jobs)
        return
    with _pool(workers) as pool:
        futures = [_submitted(pool, work, job) for job in jobs]
        yield from map(_result, as_completed(futures))


def in_order(work: Callable[[Job], Result], jobs: Sequence[Job], chunk: int = 1) -> Generator[Result]:
    """The same in the order of the jobs, of which a process gets `chunk` at a time.

    Jobs begin when those some places before them have been taken, which bounds memory.
    """
    chunks = [jobs[at : at + chunk] for at in range(0, len(jobs), chunk)]
    workers = _useful_workers(chunks)
    if workers < 2:
        yield from map(work, jobs)
        return
    with _pool(workers) as pool:
        running = deque[Future[list[Result]]]()
        for some in chunks:
            running.append(_submitted(pool, partial(_each, work), some))
            if len(running) > workers * _AHEAD:
                yield from _result(running.popleft())
        while running:
            yield from _result(running.popleft())


def _each(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    return [work(job) for job in jobs]


def _useful_workers(jobs: Sequence[object]) -> int:
    return 1 if multiprocessing.parent_process() is not None else min(available_cpus(), len(jobs))


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end at once when an exception, or the closing of a generator, leaves the context."""
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin) as pool:
        try:
            yield pool
        except BaseException:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            raise


def _submitted(pool: ProcessPoolExecutor, work: Callable[[Job], Result], job: Job) -> Future[Result]:
    with _no_interrupts():
        return pool.submit(work, job)


def _result(future: Future[Result]) -> Result:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool as error:
        raise PausedError("A worker process was killed.", remedy="Run it again.") from error


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that are started within never get the signal of Ctrl-C; the caller gets it afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Prepare a worker process."""
    collect_seldom()
    _end_with_parent()


def _end_with_parent() -> None:
    """End this process when its parent does, even if that was killed."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)
