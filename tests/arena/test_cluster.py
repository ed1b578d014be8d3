"""Matches between bots on a Ray cluster: the same as here, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.arena.test_running import GAME, logs, standings
from tests.cli.command import complaint, start, tabletop

WORDS = (*GAME, "--agents", "bot:steady,bot:random,x=bot:random", "--out", "t", "-q")


def has_ray() -> bool:
    try:
        import ray  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.skipif(has_ray(), reason="Ray is installed")
def test_without_ray_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    said = complaint(tabletop(tmp_path, "tournament", *WORDS, "--deals", "1", "--engine", "ray"))
    assert "pip install 'tabletop-runner[ray]'" in said


def workers(parent: int) -> list[int]:
    """The processes below one that play matches."""
    found = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in found.splitlines()[1:]]
    family = {parent}
    for _ in range(5):
        family |= {int(pid) for pid, ppid, _ in rows if int(ppid) in family}
    return [int(pid) for pid, _, command in rows if int(pid) in family and command.startswith("ray::Station")]


@pytest.mark.skipif(not has_ray(), reason="Ray is not installed")
def test_a_cluster_with_a_worker_killed_comes_to_the_same_standings(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    assert tabletop(here, "tournament", *WORDS, "--deals", "12").returncode == 0
    process = start(there, "tournament", *WORDS, "--deals", "12", "--json", "--engine", "ray", "--workers", "2")
    while not (there / "t").exists() or len(logs(there)) < 5:
        time.sleep(0.1)
        assert process.poll() is None, process.communicate()
    while not (found := workers(process.pid)):
        time.sleep(0.05)
    os.kill(found[0], signal.SIGKILL)
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert json.loads(printed)["ended"] == 72
    assert standings(there) == standings(here)
