"""Executor: plays scheduled matches, each from its start or from the end of its log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from runner.agents.bot_seats import bot_agent
from runner.agents.environment import Environment
from runner.agents.spec import Bot, same_seats
from runner.arena.progress import FailureSink, MatchOutcome, Progress, Stop, stopped
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import TournamentDir
from runner.errors import LogDamagedError, PausedError
from runner.match.match_state import Sink
from runner.prompting.pack import PromptPack
from runner.record.line import LONGEST_LINE
from runner.record.reader import Log, open_log
from runner.record.resume import open_to_resume
from runner.record.writer import LogWriter
from runner.session.match_spec import ReadyMatch, ready
from runner.session.session import Resumed, Session, Source
from runner.worker_processes import ProcessPool

if TYPE_CHECKING:
    from runner.llm.client import Client


class Shared(NamedTuple):
    """What the matches of a tournament share beside their settings: the environment and the seed of the offline model."""

    environment: Environment
    seed: int


class MatchPlayer:
    """Plays matches into a folder. `new_client` makes a client with the offline model's seed and error rate: one for all
    matches but those with a seed of their own. Bots that search think in `pool`, if there is one."""

    pool: ProcessPool | None = None

    def __init__(self, folder: Path, shared: Shared, new_client: Callable[[int, float], Client] | None = None) -> None:
        self.folder, self.shared, self._new_client = folder, shared, new_client
        self._packs: dict[Path | None, PromptPack] = {}
        self._client: Client | None = None

    async def play(self, fixture: Fixture, screen: Sink) -> MatchOutcome:
        """Play a match. Whatever stops it is in the outcome and stops no other match. Cancelling pauses the match."""
        try:
            async with self._client_for(fixture) as client:
                if (result := TournamentDir(self.folder).result(fixture.name)) is not None:
                    return MatchOutcome(fixture, result)  # the worker that played it died after it had written everything
                found = self._ready(fixture)
                source, game = await _source(self.folder / fixture.name, found), found.config.game
                specs = enumerate(found.specs)
                bots = {seat: bot_agent(spec, game, self.pool) for seat, spec in specs if isinstance(spec, Bot)}
                async with Session(found, source, [screen], client=client, seated=bots) as session:
                    return MatchOutcome(fixture, await session.run())
        except (Exception, asyncio.CancelledError) as error:
            return stopped(fixture, error)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    @asynccontextmanager
    async def _client_for(self, fixture: Fixture) -> AsyncIterator[Client | None]:
        if not fixture.needs_client:
            yield None
            return
        assert self._new_client is not None
        if fixture.offline_seed is None:
            self._client = self._client or self._new_client(self.shared.seed, fixture.table.mistakes)
            yield self._client
        else:
            async with self._new_client(fixture.offline_seed, fixture.table.mistakes) as client:
                yield client

    def _ready(self, fixture: Fixture) -> ReadyMatch:
        spec = fixture.spec
        if spec.prompts not in self._packs:
            self._packs[spec.prompts] = PromptPack(spec.prompts)
        pack, environment = self._packs[spec.prompts], self.shared.environment
        return ready(spec, environment, pack=pack)


async def _source(path: Path, ready: ReadyMatch) -> Source:
    """A new log, or the existing one. LogDamagedError when that is of another match or cannot be resumed."""
    if not _is_begun(path):
        path.unlink(missing_ok=True)
        return Source(path)
    writer, log = await _opened(path)
    config, found = ready.config, log.latest_header
    wanted = config.setup.to_json()
    same = {name: value for name, value in found.items() if name in wanted} == wanted and found["game"] == config.game.name
    same = same and found.get("talk", False) == config.talk
    same = same and found.get("skin_words", {}) == config.words.words
    if not (same and same_seats(config.seats, found["seats"]) and config.prompts == found["prompts"]):
        writer.close()
        raise LogDamagedError(
            1,
            f"{path} is the log of a match with other seats, rules or prompts than the plan's. If agents.toml, a model file or"
            " a prompt pack has changed since, take that back, or use another folder.",
        )
    return Resumed.of(writer, log, ready)


async def _opened(path: Path) -> tuple[LogWriter, Log]:
    """The log and its writer. When this is cancelled, the log is left unlocked once the thread that opens it is done."""
    opening = asyncio.ensure_future(asyncio.to_thread(open_to_resume, path))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        with suppress(Exception):
            writer, _ = await opening
            writer.close()
        raise


def _is_begun(path: Path) -> bool:
    """Whether the log has a whole first line; before that nothing of the match was played."""
    if not path.exists():
        return False
    with open_log(path) as file:
        return file.readline(LONGEST_LINE + 2).endswith(b"\n")


AHEAD = 2
"""Matches between bots that a process has at once, so that it never waits for the next."""

_ATTEMPTS = 5
"""A match is put off when this many workers have died under it; each continues from the log of the one before."""


class Executor:
    """Plays the matches of a tournament. Those of models and programs mostly wait and are played on this event loop, those
    between bots in a pool of processes, whose `variables` are by default what bots need. Bots that search think in it, too.
    One process: everything on this event loop. A match that was played has its log in the folder.

    `bots_at_once` is how many matches between bots to hand over at once, `workers` what may die under a match, as `deaths`.
    """

    workers = "processes"
    deaths: tuple[type[BaseException], ...] = (PausedError,)
    cancelled: tuple[type[BaseException], ...] = (asyncio.CancelledError,)

    def __init__(
        self, player: MatchPlayer, processes: int, progress: Progress, variables: Mapping[str, str] | None = None
    ) -> None:
        self._player, self._progress = player, progress
        self._pool = ProcessPool(processes, variables) if processes > 1 else None
        self.bots_at_once = processes * AHEAD
        player.pool = self._pool

    async def play(self, fixture: Fixture) -> MatchOutcome:
        """Play a match, from the end of its log: again if its worker died. Cancelling pauses it, which is its outcome."""
        for _ in range(_ATTEMPTS):
            try:
                return await (self._play_here(fixture) if fixture.mostly_waits else self._play_bots(fixture))
            except self.deaths:
                continue
            except self.cancelled:
                return MatchOutcome(fixture, None, Stop.INTERRUPTED, "interrupted")
        return MatchOutcome(fixture, None, Stop.OUTAGE, f"{_ATTEMPTS} {self.workers} died while they played it")

    async def close(self) -> None:
        """Release all resources, once no match is running."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.close)
        await self._player.close()

    async def _play_here(self, fixture: Fixture) -> MatchOutcome:
        return await self._player.play(fixture, FailureSink(fixture, self._progress.note))

    async def _play_bots(self, fixture: Fixture) -> MatchOutcome:
        if self._pool is None:
            return await self._play_here(fixture)
        return await asyncio.wrap_future(
            self._pool.submit(partial(play_alone, self._player.folder, self._player.shared), fixture)
        )


def play_alone(folder: Path, shared: Shared, fixture: Fixture) -> MatchOutcome:
    """Play a match between bots, which needs no client."""
    return asyncio.run(MatchPlayer(folder, shared).play(fixture, FailureSink(fixture, lambda *failure: None)))
