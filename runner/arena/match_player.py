"""Match player: plays scheduled matches in this process, each from its start or from the end of its log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import games
from runner.agents.environment import Settings
from runner.agents.factory import seat_agents, seat_of
from runner.agents.protocol import Agent
from runner.arena.match_outcome import Outcome, stopped
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import TournamentDir
from runner.errors import LogDamagedError
from runner.match.config import MatchConfig
from runner.match.events import Sink
from runner.match.header import now, package_version
from runner.match.hopeless import DEFAULT_HOPELESS
from runner.match.loop import Match
from runner.prompting.pack import PromptPack
from runner.record.json_line import LONGEST_LINE
from runner.record.log_sink import LogSink
from runner.record.log_target import LogTarget, NewLog, ResumedLog, sinks_of
from runner.record.reader import open_log
from runner.record.resume import open_to_resume
from runner.record.writer import LogWriter

if TYPE_CHECKING:
    from runner.llm.client import Client

NewLogSink = Callable[[LogWriter], LogSink]


class MatchSettings(NamedTuple):
    """What the matches of a tournament share: prompts, variables and named agents, the offline model's seed and error rate,
    rated play, and how many strike-outs in a row make a seat hopeless."""

    prompts: Path | None
    settings: Settings
    mistakes: float
    seed: int
    is_rated: bool = False
    hopeless: int = DEFAULT_HOPELESS


class MatchPlayer:
    """Plays matches into a folder. `new_client` makes a client of models with the offline model's seed; all matches share
    one, except those with a seed of their own."""

    def __init__(self, folder: Path, shared: MatchSettings, new_client: Callable[[int], Client]) -> None:
        self._folder, self._shared, self._new_client = folder, shared, new_client
        self._pack = PromptPack(shared.prompts)
        self._client: Client | None = None

    async def play(self, fixture: Fixture, screen: Sink, new_log_sink: NewLogSink = LogSink) -> Outcome:
        """Play a match. Whatever stops it is in the outcome and stops no other match. Cancelling pauses the match."""
        try:
            async with self._client_for(fixture) as client:
                return await self._play(fixture, client, screen, new_log_sink)
        except (Exception, asyncio.CancelledError) as error:
            return stopped(fixture, error)

    async def close(self) -> None:
        """Close the connections to models."""
        if self._client is not None:
            await self._client.close()

    @asynccontextmanager
    async def _client_for(self, fixture: Fixture) -> AsyncIterator[Client | None]:
        if not fixture.needs_client:
            yield None
        elif fixture.offline_seed is None:
            self._client = self._client or self._new_client(self._shared.seed)
            yield self._client
        else:
            async with self._new_client(fixture.offline_seed) as client:
                yield client

    async def _play(self, fixture: Fixture, client: Client | None, screen: Sink, new_log_sink: NewLogSink) -> Outcome:
        if (result := TournamentDir(self._folder).result(fixture.name)) is not None:
            return Outcome(fixture, result)  # the worker that played it died after it had written everything
        config = self._config(fixture)
        agents = await self._agents(config, client, self._folder / fixture.name)
        target = await _target(self._folder / fixture.name, config)
        writer = target.open()
        try:
            sinks = sinks_of(target, new_log_sink(writer), [screen])
            cursor = target.cursor
            match = Match(config, cursor.replaying(agents), sinks, logged_strikes=cursor.strikes)
            return Outcome(fixture, await match.run())
        finally:
            writer.close()

    def _config(self, fixture: Fixture) -> MatchConfig:
        shared, game = self._shared, games.load(fixture.game)
        setup = game.set_up(fixture.players, fixture.seed, fixture.rules, fixture.options)
        how = shared.settings, shared.mistakes, shared.is_rated
        reasons = fixture.reasons or (None,) * len(fixture.seats)
        seats = tuple(
            replace(seat_of(entrant.spec, game, self._pack, *how, reason), name=entrant.name)
            for entrant, reason in zip(fixture.seats, reasons, strict=True)
        )
        prompts = self._pack.to_json(game.name) if fixture.needs_client else {}
        hopeless = shared.hopeless
        return MatchConfig(game, setup, seats, prompts, fixture.ask, hopeless=hopeless, plays_on=True, talk=fixture.talk)

    async def _agents(self, config: MatchConfig, client: Client | None, log: Path) -> list[Agent]:
        specs, reasons, shared = [seat.spec for seat in config.seats], [seat.reason for seat in config.seats], self._shared
        how = self._pack, shared.settings, client, shared.is_rated, None, reasons, log
        return await seat_agents(specs, config.game, config.setup, *how)


_OTHER = (
    "is the log of a match with other seats, rules or prompts than the plan's. If agents.toml, a model file or a prompt pack"
    " has changed since, take that back, or use another folder."
)


async def _target(path: Path, config: MatchConfig) -> LogTarget:
    """A new log, or the existing one. LogDamagedError when that is of another match or cannot be resumed."""
    if not _is_begun(path):
        path.unlink(missing_ok=True)
        return NewLog(path)
    writer, log = await asyncio.to_thread(open_to_resume, path)
    found, wanted = log.latest_header, config.setup.to_json()
    same = {name: value for name, value in found.items() if name in wanted} == wanted and found["game"] == config.game.name
    same = same and found.get("talk", False) == config.talk
    if not same or [seat.to_json() for seat in config.seats] != found["seats"] or config.prompts != found["prompts"]:
        writer.close()
        raise LogDamagedError(1, f"{path} {_OTHER}")
    return ResumedLog(writer, log, {"kind": "resumed", "at": now(), "package": package_version()})


def _is_begun(path: Path) -> bool:
    """Whether the log has a whole first line; before that nothing of the match was played."""
    if not path.exists():
        return False
    with open_log(path) as file:
        return file.readline(LONGEST_LINE + 2).endswith(b"\n")
