"""Costs of tests: `python -m tools.costs` runs every test and writes tests/costs.txt, in seconds.

A line is a test that costs DEAR or more, or a class or a module with what its other tests cost together. A cost is processor
time, or what the clock says where that is longer: a test may wait, or others may work for it. A busy machine lengthens all
clocks, so they count by the share of all time that was processor time. The figures choose tests for `make quick`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests" / "costs.txt"
DEAR = 0.5
_FOLDER = "TABLETOP_TEST_COSTS"


def read(file: Path = FILE) -> dict[str, float]:
    """The seconds by test, or by module for all tests of it that have no line; empty where there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {name: float(seconds) for seconds, _, name in (line.partition(" ") for line in lines)}


def written(costs: Mapping[str, float]) -> str:
    """The text of the file for the seconds of every test."""
    found: dict[str, float] = defaultdict(float)
    for test, seconds in costs.items():
        found[test if seconds >= DEAR else _group(test)] += seconds
    return "".join(f"{seconds:.2g} {name}\n" for name, seconds in sorted(found.items()))


def _group(test: str) -> str:
    """The class of a test, or its module."""
    return test.partition("[")[0].rpartition("::")[0] or test


def evened(measured: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """The cost of each test by its processor time and its time by the clock."""
    share = min(1.0, sum(worked for worked, _ in measured.values()) / max(1e-9, sum(clock for _, clock in measured.values())))
    return {test: max(worked, clock * share) for test, (worked, clock) in measured.items()}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Measure a test with its fixtures. This module is a plugin of the run that `main` starts."""
    before = os.times()
    try:
        return (yield)
    finally:
        *spent, clock = (now - then for now, then in zip(os.times(), before, strict=True))
        with (Path(os.environ[_FOLDER]) / str(os.getpid())).open("a", encoding="utf-8") as file:
            file.write(f"{sum(spent)} {clock} {item.nodeid}\n")


def main() -> int:
    """Measure and write. When some tests are named, the costs of other modules stay as they are."""
    tests = sys.argv[1:]
    with TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "pytest", "-n", "auto", "-p", "tools.costs", *tests)
        status = subprocess.run(command, cwd=ROOT, env={**os.environ, _FOLDER: folder}, check=False).returncode
        lines = [line for file in Path(folder).iterdir() for line in file.read_text(encoding="utf-8").splitlines()]
    found = [line.split(" ", 2) for line in lines]
    measured = evened({test: (float(worked), float(clock)) for worked, clock, test in found})
    modules = {test.partition("::")[0] for test in measured}
    kept = {name: seconds for name, seconds in read().items() if tests and name.partition("::")[0] not in modules}
    FILE.write_text(written(kept | measured), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
