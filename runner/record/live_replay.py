"""Following a match that another process plays, by its log."""

from __future__ import annotations

from typing import Any

from games.core import Action
from runner.agents.seat import Seat
from runner.match.config import MatchConfig
from runner.match.tally import Tally
from runner.match.watcher import Watcher
from runner.record.hash_chain import Record
from runner.record.reader import Log
from runner.record.replay import Replay, Step


class Following:
    """A match as its log tells it, for those who look on: what the match loop would tell them, they hear from here.

    `why_paused` is why the match stands still by what its log says last; None while it goes on.
    """

    def __init__(self, log: Log, watcher: Watcher) -> None:
        """Open the match. LogDamagedError when this version cannot play it again."""
        self._replay, self._header = Replay(log), log.header
        self._watcher = watcher
        self.state = self._replay.state
        self.tallies = [Tally() for _ in range(log.header["players"])]
        self.config = self._configured()
        self.why_paused: str | None = None
        self.result: dict[str, Any] | None = None

    async def begin(self) -> None:
        """Tell that the match is there."""
        await self._watcher.begun(self)
        await self._watcher.moved(self.state, self._replay.first.events)

    async def take(self, line: int, record: Record) -> None:
        """Tell what a record says. LogDamagedError when it does not fit."""
        before = self.state
        step = self._replay.take(line, record)
        self.state = step.state
        kind = record["kind"]
        if kind == "question":
            await self._watcher.asked(record["seat"], record["question"])
        elif kind == "attempt":
            self.tallies[record["seat"]].add_attempt(record)
            await self._watcher.attempted(record["seat"], record)
        elif kind == "decision":
            action = None if record["action"] is None else before.read(record["seat"], record["action"])
            await self._decided(step, action)
        elif kind == "moot":
            await self._watcher.decided(record["seat"], None, "moot")
        elif kind == "pause":
            self.why_paused = str(record["why"])
            await self._watcher.paused(self.why_paused)
        elif kind == "resumed":
            self.why_paused = None
            self._header = {**self._header, **{name: record[name] for name in ("seats",) if name in record}}
            self.config = self._configured()
            await self._watcher.begun(self)
        elif kind == "result":
            self.result = {name: value for name, value in record.items() if name != "kind"}
            await self._watcher.ended(self.result)

    async def stand_still(self, why: str) -> None:
        """Tell that the match has stopped without its log saying so."""
        self.why_paused = why
        await self._watcher.paused(why)

    async def _decided(self, step: Step, action: Action | None) -> None:
        await self._watcher.decided(step.record["seat"], action, step.record["how"])
        await self._watcher.moved(step.state, step.events)

    def _configured(self) -> MatchConfig:
        header = self._header
        seats = tuple(Seat(str(seat["spec"]), str(seat["name"]), str(seat["kind"]), {}) for seat in header["seats"])
        return MatchConfig(self._replay.game, self.state.setup, seats, {}, header["ask"], header["ask_forced"])
