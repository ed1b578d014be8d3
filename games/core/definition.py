"""What a state needs of its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from games.core.phase import Phases
from games.core.rng import Rng
from games.core.setup import Setup

View = dict[str, Any]


class Definition(Protocol):
    """What a state needs of its game; `Game` is one."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def free_text(self) -> tuple[str, ...]: ...
    @property
    def round_word(self) -> str: ...
    @property
    def later_fields(self) -> frozenset[str]: ...
    @property
    def undigested(self) -> frozenset[str]: ...
    @property
    def bots(self) -> Mapping[str, Callable[[Any, int, Rng], Any]]: ...
    @property
    def likelihood(self) -> Callable[[Any, int | None], Callable[[Any], float]] | None: ...
    @property
    def phases(self) -> Phases: ...
    def set_up(self, players: int | None, seed: int, rules: str | None, options: Mapping[str, Any]) -> Setup: ...
    def setup_from_json(self, data: Mapping[str, Any]) -> Setup: ...
