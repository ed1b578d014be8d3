"""What a match is played with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from games.core import Game, Setup
from runner.agents.seat import Seat

Asking = Literal["simultaneous", "sequential"]


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """A match before it is played. `prompts` are the packs' names and template digests, for the log, `budget` the most
    that all its sittings may take, in `usd` and in `tokens`; `playback` names the recording whose answers are given, if it is
    played from one."""

    game: Game
    setup: Setup
    seats: tuple[Seat, ...]
    prompts: dict[str, Any]
    ask: Asking = "simultaneous"
    ask_forced: bool = False
    budget: Mapping[str, float] = field(default_factory=dict)
    playback: dict[str, Any] | None = None
