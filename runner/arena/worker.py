"""Worker: plays the matches it is sent, within the rate limits and the budget of the tournament."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from runner.arena.match_outcome import Outcome, stopped
from runner.arena.match_player import MatchPlayer
from runner.arena.messages import Attempted, Denied, End, Ended, Granted, Pause, Play, ToTournament, ToWorker, WorkerConfig
from runner.arena.progress import FailureSink
from runner.arena.schedule import Fixture
from runner.llm.local_servers import servers
from runner.record.private_files import make_private_folder
from runner.record.writer import LogWriter

if TYPE_CHECKING:
    from runner.arena.limits_client import LimitsClient
    from runner.arena.remote_log import RemoteLogSink
    from runner.llm.client import Client


class Worker:
    """Plays any number of matches at once on one event loop. `send` takes its messages to the tournament."""

    def __init__(self, config: WorkerConfig, send: Callable[[ToTournament], None]) -> None:
        self._config, self._send = config, send
        servers.use(config.servers)
        self._scratch = None if config.folder else tempfile.TemporaryDirectory(prefix="tabletop-")
        self._folder = config.folder or Path(self._scratch.name if self._scratch else "")
        self._player = MatchPlayer(self._folder, config.shared, self._new_client)
        self._limits_client: LimitsClient | None = None
        self._playing: dict[str, asyncio.Task[Outcome]] = {}
        self.ended = asyncio.Event()

    def take(self, batch: Sequence[ToWorker]) -> None:
        """Carry out messages of the tournament."""
        for message in batch:
            match message:
                case Play(fixture):
                    self._playing[fixture.name] = task = asyncio.create_task(self._play(message))
                    task.add_done_callback(partial(self._end, fixture))
                case Pause(name):
                    if name in self._playing:
                        self._playing[name].cancel()
                case Granted() | Denied():
                    self._limits.take(message)
                case End():
                    self.ended.set()

    async def close(self) -> None:
        """Close all connections and delete the local copies of logs."""
        await self._player.close()
        if self._scratch is not None:
            self._scratch.cleanup()

    def _end(self, fixture: Fixture, task: asyncio.Task[Outcome]) -> None:
        """Report how a match ended, whatever became of its task."""
        self._playing.pop(fixture.name, None)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        self._send(Ended(task.result() if error is None else stopped(fixture, error)))

    async def _play(self, asked: Play) -> Outcome:
        fixture = asked.fixture
        failures = FailureSink(fixture, lambda agent, outcome: self._send(Attempted(agent, outcome)))
        if self._scratch is None:
            return await self._player.play(fixture, failures)
        return await self._play_remotely(asked, failures)

    async def _play_remotely(self, asked: Play, failures: FailureSink) -> Outcome:
        """Play a match whose log is copied to the tournament."""
        from runner.arena.remote_log import RemoteLogSink

        path, sinks = self._folder / asked.fixture.name, list[RemoteLogSink]()

        def new_log_sink(log: LogWriter) -> RemoteLogSink:
            sinks.append(RemoteLogSink(log, asked.fixture.name, self._limits))
            return sinks[0]

        make_private_folder(path.parent)
        path.write_bytes(asked.begun)
        outcome = await self._player.play(asked.fixture, failures, new_log_sink)
        for sink in sinks:
            sink.send_rest()
        path.unlink(missing_ok=True)
        return outcome

    @property
    def _limits(self) -> LimitsClient:
        from runner.arena.limits_client import LimitsClient

        self._limits_client = self._limits_client or LimitsClient(self._send)
        return self._limits_client

    def _new_client(self, seed: int) -> Client:
        from runner.arena.limits_client import RemoteBudget, RemoteLimits
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel

        limits = self._limits
        return Client(
            budget=RemoteBudget(limits, self._config.is_limited),
            limits_of=lambda key: RemoteLimits(limits, key),
            offline=OfflineModel(seed, self._config.shared.mistakes),
        )
