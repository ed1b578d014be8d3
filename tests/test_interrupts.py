"""Ctrl-C at a bad moment."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from runner.agents.environment import Environment
from runner.arena.match_runner import ExecutorOptions, MatchRunner
from runner.arena.plan import plan_of
from runner.arena.tournament_dir import TournamentDir
from runner.interrupts import interrupted_afterwards
from tests.cli.command import environment
from tests.patience import PATIENCE


def test_a_short_step_ends_before_it_is_interrupted() -> None:
    done: list[str] = []

    def step() -> None:
        with interrupted_afterwards():
            signal.raise_signal(signal.SIGINT)
            done.append("the rest of the step")

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        step()
    assert done == ["the rest of the step"]
    assert signal.getsignal(signal.SIGINT) is before


def test_an_undisturbed_step_ends_as_it_is() -> None:
    with interrupted_afterwards():
        pass


INTERRUPTED_AT = """\
import signal, sys
from runner.__main__ import main
left = int(sys.argv.pop(1))

def count(event, arguments):
    global left
    left -= event == "import"
    if left == 0:
        left = -1
        signal.raise_signal(signal.SIGINT)

sys.addaudithook(count)
main()
"""


@pytest.mark.parametrize("place", [1, 2, 5, 20, 50, 90, 130, 170, 210, 250, 300, 340])
def test_ctrl_c_while_a_command_is_loaded_is_a_sentence_and_status_3(place: int, tmp_path: Path) -> None:
    words = ("play", "coup", "--seat", "bot:random", "--seat", "bot:random", "-q")
    command = [sys.executable, "-c", INTERRUPTED_AT, str(place), *words]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("tabletop: ")
    assert "Traceback" not in done.stderr


def test_a_tournament_that_is_interrupted_while_its_loop_is_made_has_all_its_matches_left(tmp_path: Path) -> None:
    make = asyncio.Runner.get_loop

    def interrupted(runner: asyncio.Runner) -> asyncio.AbstractEventLoop:
        signal.raise_signal(signal.SIGINT)
        return make(runner)

    plan = plan_of({"games": [{"name": "coup", "deals": 2}], "agents": {"a": "bot:steady", "b": "bot:random"}})
    folder = TournamentDir(tmp_path / "t")
    runner = MatchRunner(plan, Environment(), folder, ExecutorOptions(workers=1))
    with folder.locked(), patch.object(asyncio.Runner, "get_loop", interrupted):
        assert not runner.run(lambda _: None, 1.0)
    assert runner.progress.ended == 0
    assert runner.progress.total > 0
