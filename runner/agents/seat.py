"""Seat: who plays it, as the log's header has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from runner.agents.own_fields import REASON
from runner.agents.settings import Reason
from runner.agents.spec import Spec

RATED = "rated"
"""The field of a seat whose model plays rated."""

_MODELS = ("model", "offline")


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a match: the SPEC, a name for people, the kind, and more fields for the log (no secrets)."""

    spec: Spec
    name: str
    kind: str
    facts: dict[str, object]

    def to_json(self) -> dict[str, object]:
        """The seat as the log's header has it."""
        return {"spec": self.spec.text, "name": self.name, "kind": self.kind, **self.facts}

    @property
    def reason(self) -> Reason:
        """Whether its model is asked for a reason."""
        return cast(Reason, self.facts.get(REASON, "auto"))

    def with_reason(self, reason: Reason) -> Seat:
        """The seat with a model that is asked for a reason or not; a bot's and a person's stay as they are."""
        if self.kind not in _MODELS:
            return self
        rest = {name: fact for name, fact in self.facts.items() if name != REASON}
        return replace(self, facts=rest if reason == "auto" else {**rest, REASON: reason})

    def rated(self) -> Seat:
        """The seat in a rated match: a model's says so, a bot's stays as it is."""
        return replace(self, facts={**self.facts, RATED: True}) if self.kind in _MODELS else self


def is_rated(seats: Sequence[Mapping[str, object]]) -> bool:
    """Whether the seats of a log's header are those of a rated match."""
    return any(seat.get(RATED) is True for seat in seats)
