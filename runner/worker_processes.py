"""Worker processes: they share work of many jobs, and end at once when the caller stops.

Each runs this module: it reads pickled jobs from its standard input and writes the pickled results to its standard output.
"""

import os
import pickle
import queue
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from typing import Any, TypeVar

from runner.child_processes import available_cpus, become_child, collect_seldom, is_child, start_python
from runner.errors import PausedError, TabletopError

Job = TypeVar("Job")
Result = TypeVar("Result")

_AHEAD = 3
"""Chunks in order that are begun for each process before the first result is taken."""


def in_order(work: Callable[[Job], Result], jobs: Sequence[Job], chunk: int = 1, *, is_worth: bool = True) -> Generator[Result]:
    """The results of all jobs in their order; a process gets `chunk` at a time, begun when those some places before it have
    been taken, which bounds memory. A single job, a single processor, a worker process and what is not worth it need no further
    processes. Closing the iterator ends the processes at once. PausedError when one of them was killed."""
    chunks = [jobs[at : at + chunk] for at in range(0, len(jobs), chunk)]
    workers = 1 if is_child() or not is_worth else min(available_cpus(), len(chunks))
    if workers < 2:
        yield from map(work, jobs)
        return
    with closing(ProcessPool(workers)) as pool:
        running = deque[Future[list[Result]]]()
        for some in chunks:
            running.append(pool.submit(partial(_each, work), some))
            if len(running) > workers * _AHEAD:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()


def _each(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    return [work(job) for job in jobs]


class ProcessPool:
    """A thread for each process: it starts the process at its first job, replaces it when it was killed, and hands it one job
    after the other. `variables` are those of the processes; None: what tabletop's own need.
    """

    def __init__(self, workers: int, variables: Mapping[str, str] | None = None) -> None:
        self._variables = variables
        self._threads = ThreadPoolExecutor(workers)
        self._own = threading.local()
        self._lock = threading.Lock()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._is_closed = False

    def submit(self, work: Callable[[Job], Result], job: Job) -> Future[Result]:
        """The result to come of a job. PausedError when its process is killed."""
        return self._threads.submit(self._done, work, job)

    def close(self) -> None:
        """End the processes, whatever they do."""
        with self._lock:
            self._is_closed = True
        for process in self._processes:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.wait()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):
                    pipe.close()

    def _done(self, work: Callable[[Job], Result], job: Job) -> Result:
        process = self._process()
        assert process.stdin is not None
        assert process.stdout is not None
        asked = pickle.dumps((work, job), pickle.HIGHEST_PROTOCOL)
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            result, error = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError) as lost:
            process.kill()
            process.wait()
            self._own.process = None
            raise PausedError("A worker process was killed.", remedy="Run it again.") from lost
        if error is not None:
            raise error
        done: Result = result
        return done

    def _process(self) -> subprocess.Popen[bytes]:
        found: subprocess.Popen[bytes] | None = getattr(self._own, "process", None)
        if found is None:
            with self._lock:
                if self._is_closed:
                    raise PausedError("The work was stopped.")
                found = self._own.process = start_python("runner.worker_processes", variables=self._variables)
                self._processes.append(found)
        return found


def main() -> None:
    """Do the jobs on standard input, in a process that ends with its input. What a job prints goes to standard error."""
    collect_seldom()
    become_child()
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with os.fdopen(os.dup(1), "wb") as results:
        os.dup2(2, 1)
        threading.Thread(target=_read, args=(jobs,), daemon=True).start()
        while True:
            results.write(_outcome(*jobs.get()))
            results.flush()


def _read(jobs: queue.SimpleQueue[Any]) -> None:
    """Take the jobs in, and end the process with the one that sends them, even in the middle of a job."""
    try:
        while True:
            jobs.put(pickle.load(sys.stdin.buffer))
    except EOFError:
        os._exit(1)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _outcome(work: Callable[[Any], object], job: object) -> bytes:
    try:
        return pickle.dumps((work(job), None), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        if not isinstance(error, TabletopError):
            error.add_note(traceback.format_exc())
        return pickle.dumps((None, error), pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    main()
