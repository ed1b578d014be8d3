"""Seat: who plays it, as the log's header has it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from games.core import quoted, seat_name
from runner.agents.choice_order import CHOICES, Order
from runner.agents.policy import POLICY, PolicyUse
from runner.agents.settings import BELIEF, REASON, Reason
from runner.agents.spec import Endpoint, Function, Named, Offline, Program, Spec, parse_spec
from runner.errors import UsageError

MOST_CELLS, LONGEST_NAME = 20, 40
"""The columns of a terminal that a name takes at most, and its characters."""

_SEAT = re.compile(r"[Pp]?[-_ ]?\d+")
_MARKS = {"Mn", "Mc"}
_OTHERS = "-_. "


def is_given(name: str, spec: Spec) -> bool:
    """Whether somebody gave a player its name, so that it does not only repeat the SPEC or add the prompt pack to it."""
    return name.partition(" (")[0] not in (spec.default_name, spec.text, spec.who)


def check_name(name: str) -> None:
    """UsageError for a name that a player cannot have."""
    if (fault := name_fault(name)) is not None:
        raise UsageError(f"A player cannot be called {quoted(name)}: {fault}.")


def stands_for_seat(name: str) -> bool:
    """Whether a name reads like a seat: P-2, p2, 2."""
    return len(name) <= LONGEST_NAME and _SEAT.fullmatch(unicodedata.normalize("NFKC", name).strip()) is not None


def name_fault(name: str) -> str | None:
    """What is wrong with a player's name; None for a good one."""
    if len(name) > LONGEST_NAME:
        return f"a name has at most {LONGEST_NAME} characters"
    if stands_for_seat(name):
        return "that stands for a seat"
    others = (c for c in name if not (c.isalnum() or c in _OTHERS or unicodedata.category(c) in _MARKS))
    if wrong := next(others, None):
        return f"a name has letters, digits, blanks and the signs - _ ., not {quoted(wrong)}"
    if not name or not name[0].isalnum():
        return "a name begins with a letter or a digit"
    if not isinstance(parse_spec(name), Named):
        return "that stands for a kind of player"
    if cells(name) > MOST_CELLS:
        return f"a name takes at most {MOST_CELLS} columns"
    return None


def cells(name: str) -> int:
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in name)


RATED = "rated"
"""The field of a seat whose model plays rated."""

_MODELS = (Endpoint.kind, Offline.kind)
_NAMED = (*_MODELS, Program.kind, Function.kind)


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
    def has_belief(self) -> bool:
        """Whether its model states what it believes."""
        return self.facts.get(BELIEF) is True

    def with_belief(self) -> Seat:
        """The seat with a model that states what it believes; a bot's and a person's stay as they are."""
        return replace(self, facts={**self.facts, BELIEF: True}) if self.kind in _MODELS else self

    @property
    def choices(self) -> Order:
        """The order in which its model is shown choices."""
        return cast(Order, self.facts.get(CHOICES, "listed"))

    def with_choices(self, order: Order) -> Seat:
        """The seat with a model that is shown choices in this order; a bot's and a person's stay as they are."""
        if self.kind not in _MODELS:
            return self
        rest = {name: fact for name, fact in self.facts.items() if name != CHOICES}
        return replace(self, facts=rest if order == "listed" else {**rest, CHOICES: order})

    @property
    def policy(self) -> PolicyUse:
        """Whether its model is asked for its policy, or plays it."""
        return cast(PolicyUse, self.facts.get(POLICY, False))

    def with_policy(self, use: PolicyUse = True) -> Seat:
        """The seat with a model that is asked for its policy; a bot's and a person's stay as they are."""
        return replace(self, facts={**self.facts, POLICY: use}) if self.kind in _MODELS else self

    @property
    def called(self) -> str:
        """The name that somebody gave the player, or that of its agent; empty where the name only repeats the SPEC."""
        is_agent = isinstance(parse_spec(self.spec.text), Named) and self.kind in _NAMED
        return self.name if is_agent or is_given(self.name, self.spec) else ""

    @property
    def is_rated(self) -> bool:
        return self.facts.get(RATED) is True

    def rated(self) -> Seat:
        """The seat in a rated match: a model's says so, a bot's stays as it is."""
        return replace(self, facts={**self.facts, RATED: True}) if self.kind in _MODELS else self


def is_rated(seats: Sequence[Mapping[str, object]]) -> bool:
    return any(seat.get(RATED) is True for seat in seats)


def labels(seats: Sequence[Seat]) -> tuple[str, ...]:
    """What people read for each seat: the given name, with the seat beside it where several have it (`ada (P-0)`); `P-0` for a
    player without one."""
    shared = Counter(seat.called.casefold() for seat in seats)
    found = ((seat.called, seat_name(number)) for number, seat in enumerate(seats))
    return tuple(f"{name} ({seat})" if name and shared[name.casefold()] > 1 else name or seat for name, seat in found)


def check_distinct(seats: Sequence[Seat]) -> None:
    """UsageError when NAME=SPEC gives a player the name of another seat."""
    for seat in (seat for seat in seats if seat.spec.player):
        same = [number for number, other in enumerate(seats) if other.name.casefold() == seat.name.casefold()]
        if len(same) > 1:
            raise UsageError(
                f"Two players are called {quoted(seat.name)}, {seat_name(same[0])} and {seat_name(same[1])}: give each another"
                " name."
            )
