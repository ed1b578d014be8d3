"""Match configuration: what a match is played with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.core import Game, Setup
from runner.agents.seat import Seat
from runner.match.header import PlaybackRecord

Asking = Literal["simultaneous", "sequential"]


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """Configuration of a match. `prompts` has the pack's name and template digests for the log, `budget` the limits of the
    whole match in `usd` and `tokens`. `playback` names the recording whose answers are given, if there is one."""

    game: Game
    setup: Setup
    seats: tuple[Seat, ...]
    prompts: Mapping[str, object]
    ask: Asking = "simultaneous"
    ask_forced: bool = False
    budget: Mapping[str, float] = field(default_factory=dict)
    playback: PlaybackRecord | None = None
