"""Campaign: tournaments stopped by signals at odd moments, again and again. Nothing hangs, nothing is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.arena.test_running import BOTS, MODELS, grown, logs, standings, written
from tests.cli.command import environment
from tests.conftest import Here
from tests.patience import PATIENCE

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)
SEEDS = range(2) if "TABLETOP_CAMPAIGN" in os.environ else ()
STOPS = 15
"""Stops of one tournament."""

LONGEST = 2.5
"""Seconds after its start at which a run is stopped, at most."""


MAIN = "from runner.__main__ import main; print(flush=True); main()"


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    """The command in a process group of its own, after it has begun to run our code."""
    command = [sys.executable, "-c", MAIN, *words]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=folder, env=environment(), text=True, start_new_session=True, **pipes)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def stopped_by(process: subprocess.Popen[str], rng: random.Random, folder: Path, more: int) -> tuple[str, int | None, str]:
    """The signals sent to a run at a random moment, its exit status, and what it said.

    The moment is a time, or when its logs have grown by a part of `more` bytes.
    """
    sent: list[str] = []
    if is_late := rng.random() < 0.7:
        grown(folder, written(folder) + more * rng.random(), process)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        with suppress(subprocess.TimeoutExpired):
            process.wait((0.2 if sent or is_late else LONGEST) * rng.random())
        number = rng.choice(SIGNALS)
        with suppress(ProcessLookupError):
            if rng.random() < 0.5:
                os.killpg(process.pid, number)
            elif process.poll() is None:
                os.kill(process.pid, number)
        sent.append(number.name)
    _, errors = process.communicate(timeout=PATIENCE)
    return " ".join(sent), process.returncode, errors


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("words", [BOTS, MODELS], ids=["bots", "models"])
def test_a_tournament_stopped_at_odd_moments_ends_as_if_undisturbed(
    words: tuple[str, ...], seed: int, tmp_path: Path, here: Here, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet, disturbed = tmp_path / "quiet", tmp_path / "disturbed"
    quiet.mkdir(), disturbed.mkdir()
    assert here(quiet, "tournament", *words, "-q", "--workers", "1").returncode == 0
    rng, statuses = random.Random(seed), Counter[int | None]()
    for _ in range(STOPS):
        process = started(disturbed, "tournament", *words, "-q", "--workers", rng.choice("123"))
        sent, status, errors = stopped_by(process, rng, disturbed, written(quiet) // STOPS)
        assert status in (0, 3, 130) or (status is not None and -status in SIGNALS), (sent, status, errors)
        assert "Traceback" not in errors, (sent, errors)
        statuses[status] += 1
    done = here(disturbed, "tournament", *words, "-q", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert [path.relative_to(disturbed) for path in logs(disturbed)] == [path.relative_to(quiet) for path in logs(quiet)]
    assert all(verify(read_log(path)).has_ended for path in logs(disturbed))
    assert standings(disturbed) == standings(quiet)
    with capsys.disabled():
        print(f"\n{STOPS} stops; by exit status {dict(statuses)}")  # noqa: T201
