"""A tournament on a Ray cluster: the same as here, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.arena.paid_server import paid_server
from tests.arena.test_running import GAME, logs, standings
from tests.cli.command import complaint, start, tabletop
from tests.patience import PATIENCE
from tools.warm_processes import WarmProcess

WORDS = (*GAME, "--seat", "bot:steady,bot:random,x=bot:random", "-o", "t", "-q")
RAY = ("--ray", "--workers", "2")
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    said = complaint(tabletop(tmp_path, "tournament", *WORDS, "--deals", "1", "--ray"))
    assert "pip install 'tabletop-runner[ray]'" in said


def actors(parent: int) -> list[int]:
    """The processes below one that play matches."""
    found = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in found.splitlines()[1:]]
    family = {parent}
    for _ in range(5):
        family |= {int(pid) for pid, ppid, _ in rows if int(ppid) in family}
    return [int(pid) for pid, _, command in rows if int(pid) in family and command.startswith("ray::played_in_task")]


def one_killed(folder: Path, process: WarmProcess, after: int) -> tuple[str, str]:
    """Kill a worker once the logs have a number of lines, and wait for the end."""
    until = time.monotonic() + PATIENCE
    while sum(path.read_bytes().count(b"\n") for path in logs(folder)) < after or not (found := actors(process.pid)):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)
    os.kill(found[0], signal.SIGKILL)
    printed, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return printed, errors


@needs_ray
def test_a_cluster_with_a_worker_killed_comes_to_the_same_standings(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    assert tabletop(here, "tournament", *WORDS, "--deals", "12").returncode == 0
    printed, _ = one_killed(there, start(there, "tournament", *WORDS, "--deals", "12", "--json", *RAY), 300)
    assert json.loads(printed)["ended"] == 72
    assert standings(there) == standings(here)


@needs_ray
def test_models_of_a_cluster_are_asked_by_this_machine_under_one_budget(tmp_path: Path) -> None:
    with paid_server(0.1) as server:
        words = (*GAME, "--seat", f"a=offline@{server.url},b=bot:steady", "--deals", "2", "-o", "t", "--json")
        assert tabletop(tmp_path, "tournament", *words, *RAY, "--budget", "0.02").returncode == 3
        assert 0 < sum(server.charged) <= 0.02
        done = tabletop(tmp_path, "tournament", "t", "--json", *RAY, "--budget", "9")
        assert json.loads(done.stdout)["spent"] == pytest.approx(sum(server.charged))
    assert len(logs(tmp_path)) == 12
    assert all(verify(read_log(path)).has_ended for path in logs(tmp_path))
