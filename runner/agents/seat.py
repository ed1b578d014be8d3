"""Seat: who plays it, as the log's header has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from games.core import quoted, seat_name
from runner.agents.own_fields import REASON
from runner.agents.player_name import is_given
from runner.agents.settings import Reason
from runner.agents.spec import Named, Spec, parse_spec
from runner.errors import UsageError

BOT_KIND = "bot"
PROGRAM_KIND = "program"
FUNCTION_KIND = "function"

RATED = "rated"
"""The field of a seat whose model plays rated."""

_MODELS = ("model", "offline")
_NAMED = (*_MODELS, PROGRAM_KIND, FUNCTION_KIND)


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a match: the SPEC, a name for people, the kind, and more fields for the log (no secrets)."""

    spec: Spec
    name: str
    kind: str
    facts: dict[str, object]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Seat:
        """The seat in a log's header or result, without more fields."""
        return cls(parse_spec(str(record["spec"])), str(record["name"]), str(record["kind"]), {})

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

    @property
    def called(self) -> str:
        """The name that somebody gave the player, or that of its agent; empty where the name only repeats the SPEC."""
        is_agent = isinstance(parse_spec(self.spec.text), Named) and self.kind in _NAMED
        return self.name if is_agent or is_given(self.name, self.spec) else ""

    def rated(self) -> Seat:
        """The seat in a rated match: a model's says so, a bot's stays as it is."""
        return replace(self, facts={**self.facts, RATED: True}) if self.kind in _MODELS else self


def is_rated(seats: Sequence[Mapping[str, object]]) -> bool:
    """Whether the seats of a log's header are those of a rated match."""
    return any(seat.get(RATED) is True for seat in seats)


def labels(seats: Sequence[Seat]) -> tuple[str, ...]:
    """What people read for each seat: `ada (P-0)`, or `P-0` for a player without a given name."""
    return tuple(
        f"{seat.called} ({seat_name(number)})" if seat.called else seat_name(number) for number, seat in enumerate(seats)
    )


def check_distinct(seats: Sequence[Seat]) -> None:
    """UsageError when NAME=SPEC gives a player the name of another seat."""
    for seat in (seat for seat in seats if seat.spec.player):
        same = [number for number, other in enumerate(seats) if other.name.casefold() == seat.name.casefold()]
        if len(same) > 1:
            raise UsageError(
                f"Two players are called {quoted(seat.name)}, {seat_name(same[0])} and {seat_name(same[1])}: give each another"
                " name."
            )
