"""Ctrl-C at a bad moment."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from unittest.mock import patch

import pytest

from runner.agents.environment import Settings
from runner.arena.match_runner import ExecutorOptions, MatchRunner, match_set
from runner.arena.plan_file import plan_of
from runner.arena.tournament_dir import TournamentDir
from runner.interrupts import interrupted_afterwards


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


def test_a_tournament_that_is_interrupted_while_its_loop_is_made_has_all_its_matches_left(tmp_path: Path) -> None:
    make = asyncio.Runner.get_loop

    def interrupted(runner: asyncio.Runner) -> asyncio.AbstractEventLoop:
        signal.raise_signal(signal.SIGINT)
        return make(runner)

    plan = plan_of({"games": [{"name": "coup", "deals": 2}], "agents": {"a": "bot:steady", "b": "bot:random"}})
    folder = TournamentDir(tmp_path / "t")
    runner = MatchRunner(match_set(plan, Settings()), folder, ExecutorOptions(workers=1))
    with folder.locked(), patch.object(asyncio.Runner, "get_loop", interrupted):
        assert not runner.run(lambda _: None, 1.0)
    assert runner.progress.ended == 0
    assert runner.progress.total > 0
