"""Playing one scheduled match, from the start or from where its log ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import games
from games.core import Game, Setup
from runner.agents.environment import Settings
from runner.agents.factory import seat_agents, seat_of
from runner.agents.protocol import Agent
from runner.agents.spec import Spec, needs_client
from runner.arena.blame import Blamed, blame
from runner.arena.match_outcome import Outcome, stopped
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import Folder
from runner.errors import LogDamagedError, TabletopError
from runner.match.config import MatchConfig
from runner.match.events import Sink
from runner.match.header import now, package_version
from runner.match.loop import Match
from runner.prompting.pack import PromptPack
from runner.record.log_sink import LogSink
from runner.record.log_target import LogTarget, NewLog, ResumedLog, sinks_of
from runner.record.resume import open_to_resume
from runner.record.writer import LogWriter

if TYPE_CHECKING:
    from runner.llm.client import Client


@dataclass(frozen=True, slots=True)
class House:
    """What all matches of a process share: the tournament's folder, prompts, settings, the client of models, whether they
    are rated, and what writes their logs."""

    folder: Path
    pack: PromptPack
    settings: Settings
    mistakes: float = 0.0
    client: Client | None = None
    is_rated: bool = False
    log_sink: Callable[[LogWriter], LogSink] = LogSink


async def play(fixture: Fixture, house: House, screens: Sequence[Sink] = ()) -> Outcome:
    """Play a match. Whatever stops it stops nothing else: it is in the outcome. Cancelling pauses the match."""
    try:
        return await _play(fixture, house, screens)
    except (Exception, asyncio.CancelledError) as error:
        return stopped(fixture, error)


async def _play(fixture: Fixture, house: House, screens: Sequence[Sink]) -> Outcome:
    if (result := Folder(house.folder).result(fixture.name)) is not None:  # its worker died when all was written
        return Outcome(fixture, result)
    config = configure(fixture, house)
    agents = await _agents(fixture, config, house)
    source = await _source(house.folder / fixture.name, config)
    writer = source.open()
    try:
        sinks = sinks_of(source, house.log_sink(writer), screens)
        return Outcome(fixture, dict(await Match(config, source.cursor.replaying(agents), sinks).run()))
    finally:
        writer.close()


def configure(fixture: Fixture, house: House) -> MatchConfig:
    """The match as the loop plays it."""
    game = games.load(fixture.game)
    setup = game.set_up(fixture.players, fixture.seed, fixture.rules, fixture.options)
    specs = [entrant.spec for entrant in fixture.seats]
    prompts = house.pack.to_json(game.name) if needs_client(specs) else {}
    described = (seat_of(spec, game, house.pack, house.settings, house.mistakes, house.is_rated) for spec in specs)
    seats = tuple(replace(seat, name=entrant.name) for seat, entrant in zip(described, fixture.seats, strict=True))
    return MatchConfig(game, setup, seats, prompts, fixture.ask)


async def _agents(fixture: Fixture, config: MatchConfig, house: House) -> list[Agent]:
    return [
        Blamed(await _agent(entrant.spec, entrant.name, config.game, config.setup, house), entrant.name)
        for entrant in fixture.seats
    ]


async def _agent(spec: Spec, name: str, game: Game, setup: Setup, house: House) -> Agent:
    try:
        return (await seat_agents([spec], game, setup, house.pack, house.settings, house.client, house.is_rated))[0]
    except TabletopError as error:
        blame(error, name)
        raise


async def _source(path: Path, config: MatchConfig) -> LogTarget:
    """A new log, or the one that is there. LogDamagedError when that is of another match, or cannot be gone on with."""
    if not _is_begun(path):
        path.unlink(missing_ok=True)
        return NewLog(path)
    writer, log = await asyncio.to_thread(open_to_resume, path)
    found, wanted = log.latest_header, config.setup.to_json()
    same = {name: value for name, value in found.items() if name in wanted} == wanted and found["game"] == config.game.name
    if not same or [seat.to_json() for seat in config.seats] != found["seats"] or config.prompts != found["prompts"]:
        writer.close()
        raise LogDamagedError(1, f"{path} is the log of a match with other seats, rules or prompts than the plan's.")
    return ResumedLog(writer, log, {"kind": "resumed", "at": now(), "package": package_version()})


def _is_begun(path: Path) -> bool:
    """Whether there is a log with a whole first line; before that nothing of the match has been played."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        return file.readline().endswith(b"\n")
