"""Worker processes: they end at once when the caller stops."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import Future

import pytest

from runner import worker_processes
from runner.errors import PausedError

pytestmark = pytest.mark.usefixtures("cold_modules")


def children() -> set[str]:
    """The processes that this one has started."""
    listed = subprocess.run(
        ["pgrep", "-P", str(os.getpid()), "-f", "worker_processes"], capture_output=True, text=True, check=False
    )
    return {*listed.stdout.split()}


def first_only(number: int) -> int:
    """Return for the first job, wait for ever in any other."""
    if number:
        signal.pause()
    return number


def doubled(number: int) -> tuple[int, int]:
    """The double, and the process that doubled it."""
    return 2 * number, os.getpid()


def killed(number: int) -> int:
    """End the process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_closing_ends_processes_in_the_middle_of_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    working = worker_processes.in_order(first_only, range(3))
    assert next(working) == 0
    assert children()
    working.close()
    assert children() == set()


def test_one_job_is_done_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    assert list(worker_processes.in_order(first_only, [0])) == [0]
    assert children() == set()


def test_results_come_in_the_order_of_the_jobs_from_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    found = list(worker_processes.in_order(doubled, range(50), chunk=3))
    assert [number for number, _ in found] == list(range(0, 100, 2))
    assert all(pid != os.getpid() for _, pid in found)


def test_jobs_far_ahead_wait_until_results_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    class Pool:
        """Does a job when it is submitted."""

        def submit(self, work: Callable[[Sequence[int]], list[int]], jobs: Sequence[int]) -> Future[list[int]]:
            begun.extend(jobs)
            future = Future[list[int]]()
            future.set_result(work(jobs))
            return future

        def close(self) -> None:
            pass

    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    monkeypatch.setattr(worker_processes, "ProcessPool", lambda workers: Pool())
    working = worker_processes.in_order(abs, range(100), chunk=2)
    assert next(working) == 0
    assert len(begun) < 20
    assert list(working) == list(range(1, 100))


def test_a_killed_process_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    with pytest.raises(PausedError, match="worker process was killed"):
        list(worker_processes.in_order(killed, range(9)))


def broken(number: int) -> int:
    """Raise as a bug does."""
    raise ZeroDivisionError(f"job {number}")


def test_an_error_of_a_job_names_its_line_in_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    with pytest.raises(ZeroDivisionError, match="job ") as raised:
        list(worker_processes.in_order(broken, range(9)))
    assert "in broken" in "".join(raised.value.__notes__)
    assert children() == set()
