"""Match set-up: from checked options, or from the header of a log, to a match that can be played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from games.core import Game, Setup
from runner.agents.environment import Settings
from runner.agents.factory import check_spec, seat_of
from runner.agents.filled_seats import Filled
from runner.agents.log_trust import check_logged
from runner.agents.named_spec import seat_spec
from runner.agents.player_name import is_given
from runner.agents.seat import Seat, check_distinct
from runner.agents.settings import Reason
from runner.agents.spec import Mcp, Spec, needs_client
from runner.cli.change_options import ChangeOptions
from runner.cli.model_options import ModelOptions
from runner.errors import LogDamagedError, UsageError
from runner.match.config import Asking, MatchConfig
from runner.match.header import HeaderRecord, SeatRecord
from runner.match.hopeless import DEFAULT_HOPELESS
from runner.prompting.pack import BUILT_IN, PromptPack

_SEAT_CHANGE = re.compile(r"[Pp]-?(\d+)=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """A match that is ready to be played, with the SPEC of every seat and what its models need."""

    config: MatchConfig
    filled: Filled
    pack: PromptPack
    settings: Settings
    models: ModelOptions


def configure(
    game: Game,
    setup: Setup,
    filled: Filled,
    pack: PromptPack,
    settings: Settings,
    models: ModelOptions,
    ask: Asking,
    ask_forced: bool,
    hopeless: int,
    talk: bool = False,
) -> MatchSetup:
    """The match with these players. UsageError for a SPEC that nobody can play."""
    for spec in filled.specs:
        if models.playback is None or not isinstance(spec, Mcp):
            check_spec(spec, game, settings, has_people=True)
    seats = tuple(seat_of(spec, game, pack, settings, models.mistakes, models.is_rated, models.reason) for spec in filled.specs)
    check_distinct(seats)
    prompts = pack.to_json(game.name) if needs_client(filled.specs) else {}
    config = MatchConfig(game, setup, seats, prompts, ask, ask_forced, models.bounds, hopeless=hopeless, talk=talk)
    return MatchSetup(config, filled, pack, settings, models)


def configure_from(
    header: HeaderRecord, changes: ChangeOptions, settings: Settings, models: ModelOptions, is_rated: bool
) -> MatchSetup:
    """The match of a log's header, changed. The header's budget holds where `models` have none.

    UsageError when a seat or a prompt pack is not available.
    """
    from runner.record.replay import opening

    game, state = opening(header)
    try:
        logged = [str(seat["spec"]) for seat in header["seats"]]
        specs = tuple(seat_spec(text, settings) for text in replace_seats(logged, changes.seat or ()))
        check_given(specs, changes.seat or (), settings)
        mistakes = max((float(seat.get("mistakes", 0.0)) for seat in header["seats"]), default=0.0)
        models = replace(models.within_budget_of(header), mistakes=mistakes, is_rated=is_rated)
        pack = pack_of_match(header, specs, changes.prompts)
        filled, ask, ask_forced = Filled(specs, False), header["ask"], header["ask_forced"]
        hopeless = header.get("hopeless", DEFAULT_HOPELESS) if changes.hopeless is None else changes.hopeless
        talk = header.get("talk", False)
        found = configure(game, state.setup, filled, pack, settings, models, ask, ask_forced, hopeless, talk)
        return with_logged_seats(found, header, models.reason)
    except (KeyError, TypeError) as error:
        raise LogDamagedError(1, f"the header is incomplete ({error!r}).") from error


def with_logged_seats(setup: MatchSetup, header: HeaderRecord, reason: Reason | None = None) -> MatchSetup:
    """The match with the names of a log, such as those that a tournament gave, for the players that are still the same, which
    are asked for a reason as before, unless `reason` says otherwise."""
    seats = tuple(_as_logged(*pair, reason) for pair in zip(setup.config.seats, header["seats"], strict=True))
    check_distinct(seats)
    return replace(setup, config=replace(setup.config, seats=seats))


def _as_logged(seat: Seat, logged: SeatRecord, reason: Reason | None) -> Seat:
    if seat.spec.text != logged["spec"]:
        return seat
    named = seat if seat.spec.player else replace(seat, name=str(logged["name"]))
    return named if reason is not None else named.with_reason(logged.get("reason", "auto"))


def with_entrant_names(setup: MatchSetup, log: Path) -> MatchSetup:
    """The match with the names that the log's tournament gives its agents, for players without a name."""
    from runner.arena.entrant_names import entrant_names

    names = entrant_names(log)
    seats = tuple(_named(seat, names.get(seat.spec.text)) for seat in setup.config.seats)
    return replace(setup, config=replace(setup.config, seats=seats))


def _named(seat: Seat, name: str | None) -> Seat:
    return seat if name is None or is_given(seat.name, seat.spec) else replace(seat, name=name)


def replace_seats(specs: Sequence[str], changes: Sequence[str]) -> tuple[str, ...]:
    """The SPECs after changes: `P-2=SPEC` changes that seat, a bare SPEC the next seat from the first."""
    changed = _changed_seats(len(specs), changes)
    return tuple(changed.get(seat, spec) for seat, spec in enumerate(specs))


def check_given(specs: Sequence[Spec], changes: Sequence[str], settings: Settings) -> None:
    """AccountError when a seat of a log that no change replaced reaches what only the log names."""
    changed = _changed_seats(len(specs), changes)
    logged = {seat: spec for seat, spec in enumerate(specs) if seat not in changed}
    check_logged(logged, [spec for seat, spec in enumerate(specs) if seat in changed], settings)


def _changed_seats(seats: int, changes: Sequence[str]) -> dict[int, str]:
    found, next_seat = dict[int, str](), 0
    for change in changes:
        named = _SEAT_CHANGE.fullmatch(change)
        seat, spec = (int(named[1]), named[2]) if named else (next_seat, change)
        next_seat += named is None
        if seat >= seats:
            raise UsageError(f"--seat {change}: the match has only the seats P-0 to P-{seats - 1}.")
        found[seat] = spec
    return found


def pack_of_match(header: HeaderRecord, specs: Sequence[Spec], prompts: Path | None) -> PromptPack:
    """The prompt pack that is specified, else the one that the match was played with."""
    if prompts is not None:
        return PromptPack(None if str(prompts) == BUILT_IN else prompts)
    name = (header["prompts"] or {}).get("pack", BUILT_IN)
    if name != BUILT_IN and needs_client(specs):
        raise UsageError(
            f"The match was played with the prompt pack {name}: specify its folder, or {BUILT_IN}, with --prompts."
        )
    return PromptPack()
