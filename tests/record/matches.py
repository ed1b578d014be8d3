"""Logs for tests: small ones, ones with mistakes and struck-out seats, and matches that go on from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import games
from runner.agents.protocol import Agent
from runner.agents.spec import Seat, parse_spec
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.match.match_state import Sink
from runner.match.records import Record, ResumedRecord
from runner.record.reader import read_log
from runner.record.resume import Recall, open_to_resume
from runner.record.writer import LogSink, LogWriter
from runner.session.session import Resumed
from tests.match.tables import Erring, bot, match

SMALL_DECK = [{"id": f"c{n}", "genre": "g", "text": f"Card {n}."} for n in range(24)]
SMALL = {"deck": SMALL_DECK, "max_rounds": 2}
ROUNDS_TO_KILL = 5
"""The rounds of a match that is killed, for a game that has an option of rounds."""
NOTE: ResumedRecord = {"kind": "resumed", "at": "2026-01-01T00:00:00+00:00", "package": "0"}


def short(game: str, rounds: int = 2) -> dict[str, int]:
    """The options of a match of few rounds, for a game that has one of many."""
    return {"max_rounds": rounds} if "max_rounds" in games.load(game).options else {}


def erring(game: str, players: int, share: float = 0.3) -> list[Agent]:
    """Bots that err, so that there are mistakes, strikes and struck-out seats."""
    return [Erring(bot(game), share) for _ in range(players)]


async def played(path: Path, game: str, agents: Sequence[Agent], seed: int = 0, **options: Any) -> dict[str, Any]:
    """Play a match into a log; its result."""
    writer = LogWriter(path)
    try:
        return dict(await match(game, agents, seed, writer, **options).run())
    finally:
        writer.close()


async def small_log(path: Path) -> Path:
    """A small finished match of erring bots."""
    await played(path, "dixiquote", erring("dixiquote", 3), 4, **SMALL)
    return path


async def gone_on(
    path: Path, agents: Sequence[Agent], *screens: Sink, plays_on: bool = False, recall: Recall | None = None
) -> dict[str, Any]:
    """Resume a log with these agents; the result. `plays_on`: as a tournament does. `recall` gets what is logged already."""
    writer, log = open_to_resume(path)
    try:
        target, header = Resumed(writer, log, NOTE), log.header
        game = games.load(header["game"])
        setup = game.begin(header["players"], header["seed"], header["rules"], **header["options"]).setup
        seats = tuple(Seat(parse_spec(seat["spec"]), seat["name"], seat["kind"], {}) for seat in header["seats"])
        hopeless = log.latest_header["hopeless"]
        how = {"hopeless": hopeless, "plays_on": plays_on, "talk": header.get("talk", False)}
        config = MatchConfig(game, setup, seats, {}, header["ask"], header["ask_forced"], **how)
        log = LogSink(target.open())
        begun = await target.past.fold(config, agents, screens, recall=recall)
        return dict(await Match(config, agents, [log, *screens], begun).run())
    finally:
        writer.close()


def told(path: Path) -> list[Record]:
    """The records of a sound log, without the header, the marks of stops and the times."""
    kept = [record for _, record in read_log(path).records if record["kind"] not in ("pause", "resumed")]
    return [cast(Record, {name: value for name, value in record.items() if name != "at"}) for record in kept]


def in_any_order(records: Sequence[Record]) -> list[str]:
    """Records to compare where the order of simultaneous answers does not count."""
    return sorted(str(record) for record in records)
