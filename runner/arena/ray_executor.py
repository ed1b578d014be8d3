"""Ray executor: matches on a Ray cluster. Those between bots are tasks; those of models run in actors, many at once in each.

One actor beside the tournament keeps its folder: it grants the maximum cost of each call from the one budget, and has the end
of a log on its disk before the match acts on it. So an actor that dies takes no paid reply with it; the calls that it had open
are charged in full. Each actor has rate limits of its own.
"""

import asyncio
import errno
import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from runner.agents.environment import BASE_URL_VARIABLE, KEY_HOSTS_VARIABLE, KEY_VARIABLE, OTHER_KEY_VARIABLE, Environment
from runner.arena.executor import AHEAD, Executor, MatchPlayer, Shared, play_alone
from runner.arena.progress import FailureSink, MatchOutcome, Progress
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import LedgerBudget
from runner.child_processes import available_cpus, become_child, collect_seldom, module_paths
from runner.errors import PausedError, TabletopError, UsageError, words_of
from runner.files import PRIVATE, make_private_folder, sync_folder, write_whole
from runner.llm.budget import Budget, Reservation, WorstCase
from runner.llm.rate_limiter import RateLimiters
from runner.record.writer import LogSink, LogWriter, Spending
from runner.session.session import new_client

_MATCHES_AN_ACTOR = 200

_LAST_SECONDS = 5.0
"""An actor that has not closed its connections after this time is killed."""

_CALLS_AT_ONCE = 10_000

RayHandle = Any
"""An actor or a remote function: Ray's have no types of their own."""

Limits = tuple[float | None, int | None]


class RayExecutor(Executor):
    """Plays matches on a cluster. The budget of `progress` shows what the keeper of the folder has counted."""

    workers = "workers of the cluster"

    def __init__(
        self,
        shared: Shared,
        folder: Path,
        address: str | None,
        workers: int | None,
        models_at_once: int,
        limits: Limits,
        progress: Progress,
    ) -> None:
        self._ray, self._progress, self._folder = _ray(), progress, folder
        self.deaths = (self._ray.exceptions.RayActorError, self._ray.exceptions.WorkerCrashedError)
        self.cancelled = (asyncio.CancelledError, self._ray.exceptions.TaskCancelledError)
        _join(self._ray, address, workers or available_cpus())
        self._results, sys.stdout = sys.stdout, sys.stderr  # Ray reports dead workers on standard output
        free = max(1, int(self._ray.available_resources().get("CPU", 1)))
        self._size = min(workers or -(-models_at_once // _MATCHES_AN_ACTOR), free)
        self.bots_at_once = min(workers or free, free) * AHEAD
        self._shared = shared._replace(environment=_without_other_variables(shared.environment))
        self._keeper = _beside_this(self._ray, FolderKeeper).remote(folder.absolute(), limits)
        self._play_alone = self._ray.remote(num_cpus=1, max_retries=0)(played_in_task)
        self._limits, self._actors, self._load, self._next = limits, dict[int, RayHandle](), Counter[int](), 0

    async def _played(self, fixture: Fixture) -> MatchOutcome:
        return await (self._play_models(fixture) if fixture.mostly_waits else self._play_bots(fixture))

    async def close(self) -> None:
        closing = [asyncio.ensure_future(_awaited(actor.close.remote())) for actor in self._actors.values()]
        if closing:
            _, late = await asyncio.wait(closing, timeout=_LAST_SECONDS)
            for call in late:
                call.cancel()
            await asyncio.gather(*closing, return_exceptions=True)
        await asyncio.to_thread(self._ray.shutdown)
        sys.stdout = self._results

    async def _play_bots(self, fixture: Fixture) -> MatchOutcome:
        outcome: MatchOutcome
        path = self._folder / fixture.name
        outcome, log = await self._found(self._play_alone.remote(self._shared, fixture, await asyncio.to_thread(_begun, path)))
        await asyncio.to_thread(_put, path, 0, log)
        return outcome

    async def _play_models(self, fixture: Fixture) -> MatchOutcome:
        outcome: MatchOutcome
        number = self._least_loaded()
        self._load[number] += 1
        try:
            begun = await asyncio.to_thread(_begun, self._folder / fixture.name)
            outcome, failures = await self._found(self._actors[number].play.remote(fixture, begun))
        except self._ray.exceptions.RayActorError:
            self._actors.pop(number, None)
            await self._keeper.lose.remote(number)
            raise
        finally:
            self._load[number] -= 1
        for agent, kind in failures:
            self._progress.note(agent, kind)
        self._progress.budget.spent_usd, self._progress.budget.spent_tokens = await self._keeper.spent.remote()
        return outcome

    async def _found(self, reference: RayHandle) -> Any:
        """What a call on the cluster returns. Cancelling cancels the call."""
        try:
            return await reference
        except asyncio.CancelledError:
            self._ray.cancel(reference)
            with suppress(Exception):
                return await asyncio.shield(reference)
            raise

    def _least_loaded(self) -> int:
        if len(self._actors) < self._size:
            self._next += 1
            made = self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=_CALLS_AT_ONCE)(ModelActor)
            self._actors[self._next] = made.remote(self._next, self._shared, self._keeper, self._limits)
        return min(self._actors, key=self._load.__getitem__)


class FolderKeeper:
    """Keeps the tournament's folder on its own disk: the one budget, and the logs of all actors."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self._budget = folder, LedgerBudget(folder, *limits)
        self._open: dict[tuple[int, int], Reservation] = {}

    async def reserve(self, actor: int, worst: WorstCase, source: str) -> Reservation | TabletopError:
        """Reserve the maximum cost of a call for an actor; or why that cannot be."""
        try:
            reservation = await self._budget.reserve(worst, source)
        except TabletopError as spent:
            return spent
        self._open[actor, reservation.number] = reservation
        return reservation

    async def settle(self, actor: int, number: int, usd: float | None, tokens: int, is_answer: bool) -> None:
        self._budget.settle(self._open.pop((actor, number)), usd, tokens, is_answer)

    async def lose(self, actor: int) -> None:
        """Charge the open calls of an actor that died in full, as they may have been billed."""
        for key in [key for key in self._open if key[0] == actor]:
            self._budget.settle_unknown(self._open.pop(key))

    async def spent(self) -> Spending:
        return Spending(self._budget.spent_usd, self._budget.spent_tokens)

    async def append(self, name: str, at: int, lines: bytes) -> str:
        """Put the end of a log from byte `at` on the disk; why the disk does not take it, empty when it has."""
        try:
            await asyncio.to_thread(_put, self._folder / name, at, lines)
        except Exception as error:  # the match waits for an answer, whatever it is
            return (error.strerror or "") if isinstance(error, OSError) else words_of(error)
        return ""


class ModelActor:
    """Plays any number of matches of models at once on one event loop."""

    def __init__(self, number: int, shared: Shared, keeper: RayHandle, limits: Limits) -> None:
        self._keeper, self._scratch = keeper, tempfile.TemporaryDirectory(prefix="tabletop-")
        self._folder = Path(self._scratch.name)
        budget, rates = KeptBudget(number, keeper, limits), RateLimiters()
        self._player = MatchPlayer(self._folder, shared, lambda seed, rate: new_client(budget, seed, rate, rates))

    async def close(self) -> None:
        await self._player.close()
        self._scratch.cleanup()

    async def play(self, fixture: Fixture, begun: bytes) -> tuple[MatchOutcome, list[tuple[str, str]]]:
        """Play a match from the end of its log; the outcome, and what agents failed at."""
        path, sinks, failures = self._folder / fixture.name, list[KeptLogSink](), list[tuple[str, str]]()

        def new_log_sink(log: LogWriter) -> KeptLogSink:
            sinks.append(KeptLogSink(log, fixture.name, self._keeper))
            return sinks[0]

        make_private_folder(path.parent)
        write_whole(path, begun, "The log")
        outcome = await self._player.play(
            fixture, FailureSink(fixture, lambda *failure: failures.append(failure)), new_log_sink
        )
        for sink in sinks:
            with suppress(PausedError):
                await sink.sync()
        path.unlink(missing_ok=True)
        return outcome, failures


class KeptBudget(Budget):
    """The tournament's budget, asked of the keeper."""

    def __init__(self, actor: int, keeper: RayHandle, limits: Limits) -> None:
        super().__init__(*limits)
        self._actor, self._keeper = actor, keeper

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call. BudgetSpent when it no longer fits."""
        asked = asyncio.ensure_future(_awaited(self._keeper.reserve.remote(self._actor, worst, source)))
        try:
            found = await asyncio.shield(asked)
        except asyncio.CancelledError:
            asked.add_done_callback(self._give_back)
            raise
        if isinstance(found, TabletopError):
            raise found
        reservation: Reservation = found
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        if reservation.is_open:
            reservation.is_open = False
            self._keeper.settle.remote(self._actor, reservation.number, usd, tokens, is_answer)

    def _give_back(self, asked: asyncio.Future[Any]) -> None:
        if not asked.cancelled() and asked.exception() is None and isinstance(found := asked.result(), Reservation):
            self.settle(found, 0.0, 0, is_answer=False)


class KeptLogSink(LogSink):
    """Writes a local log, and has the keeper put it on the tournament's disk at each `sync`."""

    def __init__(self, log: LogWriter, name: str, keeper: RayHandle) -> None:
        super().__init__(log)
        self._path, self._name, self._keeper = log.path, name, keeper
        self._sent, self._one_at_a_time = 0, asyncio.Lock()

    async def sync(self, *, is_last: bool = True) -> None:
        """Wait until all of it is on the tournament's disk. PausedError when that does not take it."""
        async with self._one_at_a_time:
            lines = _begun(self._path)[self._sent :]
            if lines and (why := await self._keeper.append.remote(self._name, self._sent, lines)):
                raise PausedError(f"The log {self._name} cannot be written: {why}.")
            self._sent += len(lines)


def played_in_task(shared: Shared, fixture: Fixture, begun: bytes) -> tuple[MatchOutcome, bytes]:
    """Play a match between bots from the end of its log; the outcome, and the whole log."""
    with tempfile.TemporaryDirectory(prefix="tabletop-") as scratch:
        path = Path(scratch, fixture.name)
        make_private_folder(path.parent)
        write_whole(path, begun, "The log")
        outcome = play_alone(Path(scratch), shared, fixture)
        return outcome, _begun(path)


async def _awaited(reference: RayHandle) -> Any:
    return await reference


def _begun(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _put(path: Path, at: int, lines: bytes) -> None:
    """Write the end of a log to the disk. OSError when that does not take all: whole lines stay, at most one is cut off."""
    make_private_folder(path.parent)
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE)
    try:
        if os.fstat(log).st_size < at:
            raise OSError(errno.EIO, "the lines before these are missing")
        written = os.pwrite(log, lines, at)
        os.ftruncate(log, at + written)
        if written < len(lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(log)
        if not at:
            sync_folder(path.parent)
    finally:
        os.close(log)


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


def _beside_this(ray: ModuleType, kind: Callable[..., object]) -> RayHandle:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    return ray.remote(num_cpus=0, max_restarts=0, max_concurrency=_CALLS_AT_ONCE, scheduling_strategy=here)(kind)


def _without_other_variables(environment: Environment) -> Environment:
    """The settings with the API keys, the hosts they may go to, and no other variable of this machine's environment."""
    own = {KEY_VARIABLE, OTHER_KEY_VARIABLE, KEY_HOSTS_VARIABLE, BASE_URL_VARIABLE}
    names = {*own, *(entry.key for entry in environment.agents.values() if entry.key)}
    return Environment({name: environment[name] for name in names if name in environment}, environment.agents)


def _ray() -> ModuleType:
    try:
        return import_module("ray")
    except ImportError:
        raise UsageError("--ray needs Ray: pip install 'tabletop-runner[ray]'.") from None
