"""What the command line says about a match, and what a recording says where it says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from runner.agents.seat import is_rated
from runner.agents.spec import parse_spec
from runner.cli.seat_changes import pack_of_match, seated
from runner.errors import UsageError
from runner.match.config import Asking
from runner.prompting.pack import PromptPack
from runner.record.recorded_answers import Playback


@dataclass(frozen=True, slots=True)
class Words:
    """A match in words. None, and what is empty, is not said."""

    players: int | None
    seats: tuple[str, ...]
    seed: int | None
    rules: str | None
    options: Mapping[str, Any]
    ask: Asking | None
    ask_forced: bool
    prompts: Path | None
    mistakes: float
    is_rated: bool

    def as_recorded(self, game: str, playback: Playback) -> Words:
        """The words with all that is not said as in a recording. UsageError when that is of another game."""
        header = playback.header
        if header.get("game") != game:
            raise UsageError(
                f"The recording {playback.path} is of another match: its game is {header.get('game')}, not {game}."
            )
        seats = header["seats"]
        return replace(
            self,
            players=self.players or header["players"],
            seats=seated([seat["spec"] for seat in seats], self.seats),
            seed=header["seed"] if self.seed is None else self.seed,
            rules=self.rules or header["rules"],
            options={**header["options"], **self.options},
            ask=self.ask or header["ask"],
            ask_forced=self.ask_forced or header["ask_forced"],
            mistakes=self.mistakes or max(float(seat.get("mistakes", 0.0)) for seat in seats),
            is_rated=self.is_rated or is_rated(seats),
        )

    def pack(self, playback: Playback | None) -> PromptPack:
        """The prompt pack of the match. UsageError when a recording names one that is not at hand."""
        return (
            PromptPack(self.prompts)
            if playback is None
            else pack_of_match(playback.header, list(map(parse_spec, self.seats)), self.prompts)
        )
