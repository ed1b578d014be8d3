"""Hosted configuration: what a match of the server is played with, from a client's words or from a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import games
from games.core import Game, Setup
from runner.agents.environment import Settings
from runner.agents.factory import check_spec, seat_of
from runner.agents.named_spec import seat_spec
from runner.agents.player_name import check_name
from runner.agents.seat import Seat, check_distinct
from runner.agents.spec import Mcp, Spec, needs_client
from runner.errors import UsageError
from runner.match.config import MatchConfig
from runner.match.header import HeaderRecord, PromptsRecord, SeatRecord, now, package_version
from runner.match.hopeless import DEFAULT_HOPELESS
from runner.match.records import ResumedRecord, UnloggedRecord
from runner.match.seeds import new_seed
from runner.prompting.pack import BUILT_IN, PromptPack
from runner.record.log_target import ResumedLog
from runner.record.match_budget import logged_spending, unlogged
from runner.record.reader import Log
from runner.record.replay import opening
from runner.record.writer import LogWriter

RULES = "rules"
"""The option that names the preset of rules."""


def set_up(game: Game, options: Mapping[str, object], players: int | None, seed: int = 0) -> Setup:
    """The setup of a match with a client's options, of which `rules` is the preset. OptionError for what the game lacks."""
    rest = {name: value for name, value in options.items() if name != RULES}
    preset = options.get(RULES)
    return game.set_up(players, seed, None if preset is None else str(preset), rest)


def new_config(
    name: str,
    specs: Sequence[Spec],
    seed: int | None,
    options: Mapping[str, object],
    talk: bool,
    pack: PromptPack,
    settings: Settings,
) -> MatchConfig:
    """The configuration of a new match. UsageError or OptionError for what cannot be played."""
    game = games.load(name)
    setup = set_up(game, options, len(specs), new_seed() if seed is None else seed)
    for spec in specs:
        _check(spec, game, settings)
    seats = tuple(seat_of(spec, game, pack, settings) for spec in specs)
    check_distinct(seats)
    return MatchConfig(game, setup, seats, _prompts(pack, game, specs), hopeless=DEFAULT_HOPELESS, talk=talk)


def _check(spec: Spec, game: Game, settings: Settings) -> None:
    if not isinstance(spec, Mcp):
        check_spec(spec, game, settings)
    elif spec.player:
        check_name(spec.player)


def _prompts(pack: PromptPack, game: Game, specs: Sequence[Spec]) -> Mapping[str, object]:
    return pack.to_json(game.name) if needs_client(specs) else {}


def logged_config(header: HeaderRecord, pack: PromptPack, settings: Settings) -> MatchConfig:
    """The configuration of a log's match, to be resumed. UsageError for a match with prompts of somebody's own."""
    game, state = opening(header)
    seats = tuple(_logged_seat(record, settings) for record in header["seats"])
    if needs_client(seat.spec for seat in seats) and header["prompts"].get("pack", BUILT_IN) != BUILT_IN:
        raise UsageError("The match was played with a prompt pack, which this server does not read.")
    for seat in seats:
        _check(seat.spec, game, settings)
    return MatchConfig(
        game,
        state.setup,
        seats,
        _prompts(pack, game, [seat.spec for seat in seats]),
        header["ask"],
        header["ask_forced"],
        cast("Mapping[str, float]", header.get("budget", {})),
        hopeless=header.get("hopeless", DEFAULT_HOPELESS),
        talk=header.get("talk", False),
    )


def _logged_seat(record: SeatRecord, settings: Settings) -> Seat:
    facts = {name: value for name, value in record.items() if name not in ("spec", "name", "kind")}
    return Seat(seat_spec(record["spec"], settings), record["name"], record["kind"], facts)


def resumed_log(writer: LogWriter, log: Log, config: MatchConfig) -> ResumedLog:
    """The log of a match that is resumed, with what has changed and what a session that was killed had spent."""
    lost = unlogged(log.path, logged_spending(log))
    first: ResumedRecord = {"kind": "resumed", "at": now(), "package": package_version()}
    if config.prompts != log.latest_header["prompts"]:
        first["prompts"] = cast(PromptsRecord, config.prompts)
    if lost is not None:
        first["unlogged"] = cast(UnloggedRecord, lost._asdict())
    return ResumedLog(writer, log, first)
