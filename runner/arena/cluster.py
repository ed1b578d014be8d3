"""A Ray cluster as workers for matches between bots, on this machine or on many."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from runner.arena.match import House, play
from runner.arena.outcome import Outcome, Stop
from runner.arena.schedule import Fixture
from runner.errors import UsageError
from runner.match.watcher import Watcher
from runner.prompting.pack import PromptPack
from runner.settings import Settings

_AHEAD = 2
_RETRIES = 3


class Cluster:
    """Each match is a task. Its log comes back with its outcome and is put into the tournament's folder whole, so that
    machines share no disk; a task whose worker dies is played again, elsewhere.

    Matches of models are not sent out: they wait for their endpoint rather than for a processor, and in one process
    they have one gate and one budget whatever the cluster does.
    """

    def __init__(self, folder: Path, address: str | None, processes: int | None) -> None:
        self._ray = ray = _ray()
        self._folder = folder
        here = {} if address else {"num_cpus": processes or len(os.sched_getaffinity(0))}
        environment = {} if address else {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
        try:
            ray.init(
                address, log_to_driver=False, include_dashboard=False, runtime_env=environment, logging_level="error", **here
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UsageError(f"There is no Ray cluster at {address or 'this machine'}: {error}") from error
        self._results, sys.stdout = sys.stdout, sys.stderr  # Ray tells of dead workers on standard output
        self.capacity = max(1, int(ray.cluster_resources().get("CPU", 1))) * _AHEAD
        self._task = ray.remote(max_retries=_RETRIES)(play_away)

    async def play(self, fixture: Fixture) -> Outcome:
        """Play a match somewhere in the cluster."""
        path = self._folder / fixture.name
        begun = await asyncio.to_thread(path.read_bytes) if path.exists() else b""
        try:
            outcome, log = await self._task.remote(fixture, begun)
        except self._ray.exceptions.RayError as error:
            return Outcome(fixture, None, Stop.OUTAGE, f"the cluster lost it: {type(error).__name__}")
        if log:
            await asyncio.to_thread(_put, path, log)
        return Outcome(*outcome)

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()
        sys.stdout = self._results


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise UsageError("--engine ray needs Ray: pip install 'tabletop-runner[ray]'.") from None
    return ray


def play_away(fixture: Fixture, begun: bytes) -> tuple[Outcome, bytes]:
    """Play a match on whatever machine this is, from where its log ends; the outcome and the log."""
    with tempfile.TemporaryDirectory(prefix="tabletop-") as name:
        path = Path(name) / fixture.name
        if begun:
            _put(path, begun)
        outcome = asyncio.run(play(fixture, House(Path(name), PromptPack(), Settings()), Watcher()))
        return outcome, path.read_bytes() if path.exists() else b""


def _put(path: Path, log: bytes) -> None:
    """Write a log whole: it is there or it is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part")
    with fresh.open("wb") as file:
        file.write(log)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
