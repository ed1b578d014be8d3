"""Settings of all tests: a busy machine makes no property test fail. The command without a process of its own."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import none

from runner import worker_processes
from runner.__main__ import main
from runner.child_processes import start_python
from runner.llm import client
from runner.llm.call import RetryPolicy
from runner.prompting import isolated_renderer
from tests.cli.command import PRIVATE, one_processor
from tools import built_commands, compiled_templates, kept_cases
from tools.warm_processes import address, serve_from, start_module

settings.register_profile("any_speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_speed")
compiled_templates.keep()
kept_cases.keep()
built_commands.keep()
os.environ["XDG_STATE_HOME"] = mkdtemp(prefix="tabletop-state-")  # nothing is remembered in the home folder


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """All processes that run tests call one server, which this one starts."""
    node.workerinput["warm_server"] = str(address())


def pytest_configure(config: pytest.Config) -> None:
    if found := getattr(config, "workerinput", {}).get("warm_server"):
        serve_from(Path(found))


@given(none())
def begin_properties(_: None) -> None:
    """Hypothesis looks once who refers to the random numbers that it seeds: not to be found any more when they are frozen."""


def pytest_collection_finish() -> None:
    """No garbage is looked for among tests and modules, which stay."""
    begin_properties()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


Here = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session", autouse=True)
def disk_at_once() -> Iterator[None]:
    """No test waits for the disk: power is cut in tests/record/test_power_cuts.py alone, and there from other processes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


@pytest.fixture(scope="session", autouse=True)
def warm_modules() -> Iterator[None]:
    """What renders templates and what shares work starts in milliseconds; how Python is started for them is tested from
    without, in tests/cli/test_folder_modules.py, and by all that the command does in a process of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (isolated_renderer, worker_processes):
            patch.setattr(module, "start_python", start_module)
        yield


@pytest.fixture
def cold_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are started as for users."""
    for module in (isolated_renderer, worker_processes):
        monkeypatch.setattr(module, "start_python", start_python)


@pytest.fixture
def _tried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that fail are repeated as often as ever, and at once, in this process."""
    monkeypatch.setattr(client, "RetryPolicy", partial(RetryPolicy, first_backoff=0.001, longest_backoff=0.001))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Runs the command in a folder, in this process: ten times as fast, where the process is not what is tested."""
    for name in filter(PRIVATE.search, list(os.environ)):
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "120")

    def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["tabletop", *words])
        capsys.readouterr()
        with one_processor(), pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        printed = capsys.readouterr()
        return subprocess.CompletedProcess(words, code if isinstance(code, int) else 0, printed.out, printed.err)

    return run
