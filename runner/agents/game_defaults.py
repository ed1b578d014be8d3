"""Game defaults: what the table `[defaults]` of agents.toml says of the matches of one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TABLE_OF_DEFAULTS = "defaults"
"""The table of agents.toml that is no agent."""


@dataclass(frozen=True, slots=True)
class GameDefaults:
    """Defaults for the matches of one game: its number of players, its options, and how a match is shown."""

    players: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    speed: float | None = None
    view: str | None = None
