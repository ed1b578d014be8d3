"""Campaign: command lines and settings by chance. Each ends with a documented status, in time, without a traceback."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.command import tabletop
from tests.cli.command_lines import command_line, mutated, write_settings

IS_CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ
RUNS = int(os.environ.get("TABLETOP_RUNS", "1500")) if IS_CAMPAIGN else 12
FIRST = int(os.environ.get("TABLETOP_FIRST", "0"))
SECONDS = 60.0
"""A run that takes longer hangs."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "log.jsonl"
    words = ("--players", "2", "--seat", "bot:steady", "--seat", "offline", "--max-turns", "6", "--seed", "1", "-q")
    assert tabletop(path.parent, "play", "coup", *words, "--log", path.name).returncode == 0
    return path


def test_command_lines_and_settings_by_chance(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statuses, started = Counter[int](), 0
    for number in range(FIRST, FIRST + RUNS):
        rng, folder = random.Random(f"fuzz {number}"), tmp_path / str(number)
        folder.mkdir()
        write_settings(folder, rng, faults=0.25)
        words = command_line(rng, log)
        if rng.random() < 0.3:
            words = mutated(words, rng)
        done = tabletop(folder, *words, timeout=SECONDS)
        case = (number, [word[:80] for word in words], done.stderr[-2000:])
        assert done.returncode in (0, 2, 3, 4, 5), case
        assert "Traceback" not in done.stderr, case
        statuses[done.returncode] += 1
        started += any(path.stat().st_size for path in folder.rglob("*.jsonl"))
    with capsys.disabled():
        if IS_CAMPAIGN:
            print(f"\n{RUNS} command lines: {started} started a match; by exit status {dict(sorted(statuses.items()))}")  # noqa: T201
    assert started * 2 >= RUNS or not IS_CAMPAIGN
    assert started
