"""Ray executor: matches between bots are tasks on a Ray cluster; those of models mostly wait, and stay on this machine."""

import asyncio
import logging
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from runner.agents.environment import Environment
from runner.arena.executor import AHEAD, Executor, MatchPlayer, Shared, play_alone
from runner.arena.progress import MatchOutcome, Progress
from runner.arena.schedule import Fixture
from runner.child_processes import available_cpus, become_child, collect_seldom, module_paths
from runner.errors import UsageError
from runner.files import make_private_folder, write_whole


class RayExecutor(Executor):
    """Plays on the cluster at an address, or on one of this machine, with at most this number of workers. Bots that search
    beside models think in `processes` of this machine."""

    workers = "workers of the cluster"

    def __init__(
        self, player: MatchPlayer, processes: int, progress: Progress, address: str | None, workers: int | None
    ) -> None:
        super().__init__(player, processes, progress)
        self._ray = _ray()
        self.deaths = (self._ray.exceptions.WorkerCrashedError,)
        self.cancelled = (asyncio.CancelledError, self._ray.exceptions.TaskCancelledError)
        _join(self._ray, address, workers or available_cpus())
        self._results, sys.stdout = sys.stdout, sys.stderr  # Ray reports dead workers on standard output
        free = max(1, int(self._ray.available_resources().get("CPU", 1)))
        self.bots_at_once = min(workers or free, free) * AHEAD
        self._shared = player.shared._replace(environment=Environment({}, player.shared.environment.agents))
        self._play_alone = self._ray.remote(num_cpus=1, max_retries=0)(played_in_task)

    async def close(self) -> None:
        await super().close()
        await asyncio.to_thread(self._ray.shutdown)
        sys.stdout = self._results

    async def _play_bots(self, fixture: Fixture) -> MatchOutcome:
        path = self._player.folder / fixture.name
        reference = self._play_alone.remote(self._shared, fixture, await asyncio.to_thread(_begun, path))
        outcome, log = await self._found(reference)
        await asyncio.to_thread(_put, path, log)
        return outcome

    async def _found(self, reference: Any) -> tuple[MatchOutcome, bytes]:
        """What a task on the cluster returns. Cancelling cancels the task."""
        found: tuple[MatchOutcome, bytes]
        try:
            found = await reference
        except asyncio.CancelledError:
            self._ray.cancel(reference)
            with suppress(Exception):
                found = await asyncio.shield(reference)
                return found
            raise
        return found


def played_in_task(shared: Shared, fixture: Fixture, begun: bytes) -> tuple[MatchOutcome, bytes]:
    """Play a match between bots from the end of its log; the outcome, and the whole log."""
    with tempfile.TemporaryDirectory(prefix="tabletop-") as scratch:
        path = Path(scratch, fixture.name)
        _put(path, begun)
        outcome = play_alone(Path(scratch), shared, fixture)
        return outcome, _begun(path)


def _begun(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _put(path: Path, log: bytes) -> None:
    make_private_folder(path.parent)
    write_whole(path, log, "The log")


def _join(ray: ModuleType, address: str | None, cpus: int) -> None:
    """Join a cluster, or start one on this machine. UsageError when there is none at the address."""
    environment: dict[str, object] = {"worker_process_setup_hook": begin_worker}
    environment |= {} if address else {"env_vars": module_paths()}
    options = {"log_to_driver": False, "include_dashboard": False, "logging_level": "error", "runtime_env": environment}
    try:
        ray.init(address, num_cpus=None if address else cpus, **options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise UsageError(f"There is no Ray cluster at {address or 'this machine'}: {error}") from error


def begin_worker() -> None:
    collect_seldom()
    become_child()
    logging.getLogger("tabletop").setLevel(logging.ERROR)  # the tournament has said it


def _ray() -> ModuleType:
    try:
        return import_module("ray")
    except ImportError:
        raise UsageError("--ray needs Ray: pip install 'tabletop-runner[ray]'.") from None
