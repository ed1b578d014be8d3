"""What `resume` and `fork` share: who sits where, with which prompts, now that a match goes on from a log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from games.core import Game, State
from runner.agents.environment import Settings
from runner.agents.factory import Filled
from runner.agents.spec import needs_client
from runner.cli import play_session
from runner.cli.model_options import Models
from runner.errors import LogDamagedError, UsageError
from runner.match.config import MatchConfig
from runner.match.header import HeaderRecord
from runner.prompting.pack import BUILT_IN, PromptPack
from runner.record.replay import opening

_PLACED = re.compile(r"[Pp]-?(\d+)=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Going:
    """A match that goes on: its settings, its prompt pack, and what holds for its models."""

    config: MatchConfig
    pack: PromptPack
    models: Models

    @property
    def filled(self) -> Filled:
        """The SPEC of every seat."""
        return Filled(tuple(seat.spec for seat in self.config.seats), False)


def going(
    header: HeaderRecord, seats: Sequence[str], prompts: Path | None, settings: Settings, models: Models, is_rated: bool
) -> Going:
    """The match of a header with other seats or prompts, within the budget of
    the header where `models` have none. UsageError when they cannot be had."""
    game, state = opening(header)
    try:
        specs = seated([str(seat["spec"]) for seat in header["seats"]], seats)
        mistakes = max((float(seat.get("mistakes", 0.0)) for seat in header["seats"]), default=0.0)
        models = replace(models.bounded_as(header), mistakes=mistakes, is_rated=is_rated)
        pack = pack_of_match(header, specs, prompts)
        config = _configured(game, state, specs, pack, header, settings, models)
    except (KeyError, TypeError) as error:
        raise LogDamagedError(1, f"the header is not complete ({error!r}).") from error
    return Going(config, pack, models)


def _configured(
    game: Game,
    state: State,
    specs: tuple[str, ...],
    pack: PromptPack,
    header: HeaderRecord,
    settings: Settings,
    models: Models,
) -> MatchConfig:
    return play_session.configure(game, state.setup, specs, pack, header["ask"], header["ask_forced"], settings, models)


def seated(specs: Sequence[str], given: Sequence[str]) -> tuple[str, ...]:
    """The SPECs with others in their places: `P-2=SPEC` for a seat, a bare SPEC for the next seat from the first."""
    found, place = list(specs), 0
    for word in given:
        placed = _PLACED.fullmatch(word)
        seat, spec = (int(placed[1]), placed[2]) if placed else (place, word)
        place += placed is None
        if seat >= len(found):
            raise UsageError(f"--seat {word}: the match has the seats P-0 to P-{len(found) - 1}.")
        found[seat] = spec
    return tuple(found)


def pack_of_match(header: HeaderRecord, specs: Sequence[str], prompts: Path | None) -> PromptPack:
    """The pack that is named, or the one the match was played with."""
    if prompts is not None:
        return PromptPack(None if str(prompts) == BUILT_IN else prompts)
    name = (header["prompts"] or {}).get("pack", BUILT_IN)
    if name != BUILT_IN and needs_client(specs):
        raise UsageError(f"The match was played with the prompt pack {name}: name its folder, or {BUILT_IN}, with --prompts.")
    return PromptPack()
