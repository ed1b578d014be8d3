"""What a match is played with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from games.core import Game, Setup

Asking = Literal["simultaneous", "sequential"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where: the SPEC as given, a name for people, the kind, and facts for the log (no secrets)."""

    spec: str
    name: str
    kind: str
    facts: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The seat as the log's header has it."""
        return {"spec": self.spec, "name": self.name, "kind": self.kind, **self.facts}


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
