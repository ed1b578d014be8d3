"""Worker processes: they share work of many jobs, and end at once when the caller stops."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

from runner.cpus import available_cpus
from runner.errors import PausedError
from runner.gc_tuning import collect_seldom

Job = TypeVar("Job")
Result = TypeVar("Result")


def in_processes(work: Callable[[Job], Result], jobs: Sequence[Job]) -> Generator[Result]:
    """The results of all jobs, in any order. A single job, a single processor and a worker process need no further processes.

    Closing the iterator ends the processes at once. PausedError when one of them was killed.
    """
    workers = min(available_cpus(), len(jobs))
    if workers < 2 or multiprocessing.parent_process() is not None:
        yield from map(work, jobs)
        return
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin) as pool:
        with _no_interrupts():
            futures = [pool.submit(work, job) for job in jobs]
        try:
            yield from map(_result, as_completed(futures))
        except BaseException:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            raise


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
