"""Setup of a match: everything that is fixed from its start."""

from __future__ import annotations

from typing import Any, NamedTuple


class Setup(NamedTuple):
    """Everything fixed from the start of a match: seats, seed, the preset's name and every option."""

    players: int
    seed: int
    rules: str
    options: Any

    def to_json(self) -> dict[str, Any]:
        """JSON data from which `Game.from_json` makes it again."""
        return {"players": self.players, "seed": self.seed, "rules": self.rules, "options": self.options.to_json()}
