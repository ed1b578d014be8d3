"""Who sits where, as the log's header says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
