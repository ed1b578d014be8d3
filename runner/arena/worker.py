"""A worker: plays what it is handed, with turns and money that it borrows."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.arena.fixture_match import House, play
from runner.arena.match_outcome import Outcome
from runner.arena.messages import Attempted, Batch, Brief, Denied, End, Ended, Granted, Pause, Play
from runner.arena.progress import FailureSink
from runner.prompting.pack import PromptPack
from runner.record.writer import LogWriter

if TYPE_CHECKING:
    from runner.arena.limits_client import Counter
    from runner.arena.remote_log import RemoteLogSink


class Worker:
    """Plays any number of matches at once, on one event loop. `send` takes what it has to tell the tournament."""

    def __init__(self, brief: Brief, send: Callable[[Any], None]) -> None:
        self._brief, self._send = brief, send
        self._scratch = None if brief.folder else tempfile.TemporaryDirectory(prefix="tabletop-")
        folder = brief.folder or Path(self._scratch.name if self._scratch else "")
        self._house = House(folder, PromptPack(brief.prompts), brief.settings, brief.mistakes, is_rated=brief.is_rated)
        self._counter: Counter | None = None
        self._playing: dict[str, asyncio.Task[None]] = {}
        self.ended = asyncio.Event()

    def take(self, batch: Batch) -> None:
        """Do what the tournament says."""
        for message in batch:
            match message:
                case Play(fixture):
                    self._playing[fixture.name] = asyncio.create_task(self._play(message))
                case Pause(name):
                    if name in self._playing:
                        self._playing[name].cancel()
                case Granted() | Denied():
                    self._borrowing().take(message)
                case End():
                    self.ended.set()

    async def close(self) -> None:
        """Close every connection and forget what was sent on."""
        if self._house.client is not None:
            await self._house.client.close()
        if self._scratch is not None:
            self._scratch.cleanup()

    async def _play(self, asked: Play) -> None:
        fixture = asked.fixture
        outcome = await (self._sending(asked) if self._scratch else self._played(asked, self._house))
        del self._playing[fixture.name]
        self._send(Ended(outcome))

    async def _played(self, asked: Play, house: House) -> Outcome:
        if asked.fixture.needs_client and house.client is None:
            self._open_client()
            house = replace(house, client=self._house.client)
        failures = FailureSink(asked.fixture, lambda agent, outcome: self._send(Attempted(agent, outcome)))
        return await play(asked.fixture, house, [failures])

    async def _sending(self, asked: Play) -> Outcome:
        """Play a match whose log is sent on."""
        from runner.arena.remote_log import RemoteLogSink

        path, sinks = self._house.folder / asked.fixture.name, list[RemoteLogSink]()

        def log_sink(log: LogWriter) -> RemoteLogSink:
            sinks.append(RemoteLogSink(log, asked.fixture.name, self._borrowing()))
            return sinks[0]

        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(asked.begun)
        outcome = await self._played(asked, replace(self._house, log_sink=log_sink))
        for sending in sinks:
            sending.send_rest()
        path.unlink(missing_ok=True)
        return outcome

    def _borrowing(self) -> Counter:
        from runner.arena.limits_client import Counter

        self._counter = self._counter or Counter(self._send)
        return self._counter

    def _open_client(self) -> None:
        from runner.arena.limits_client import BorrowedBudget, BorrowedTurns
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel

        counter, brief = self._borrowing(), self._brief
        client = Client(
            budget=BorrowedBudget(counter, brief.is_limited),
            limits_of=lambda way: BorrowedTurns(counter, way),
            offline=OfflineModel(brief.seed, brief.mistakes),
        )
        self._house = replace(self._house, client=client)
