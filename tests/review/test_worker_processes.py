"""Worker processes: they end at once when the caller stops."""

from __future__ import annotations

import multiprocessing
import signal

import pytest

from runner.review import worker_processes


def first_only(number: int) -> int:
    """Return for the first job, wait for ever in any other."""
    if number:
        signal.pause()
    return number


def test_closing_ends_processes_in_the_middle_of_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    others = set(multiprocessing.active_children())
    working = worker_processes.in_processes(first_only, range(3))
    assert next(working) == 0
    working.close()
    assert set(multiprocessing.active_children()) <= others


def test_one_job_is_done_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    others = set(multiprocessing.active_children())
    assert list(worker_processes.in_processes(first_only, [0])) == [0]
    assert set(multiprocessing.active_children()) <= others
