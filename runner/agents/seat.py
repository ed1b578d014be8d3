"""Seat: who plays it, as the log's header has it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.core import quoted, seat_name
from runner.agents.seat_kind import SeatIdentity
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.agents.spec import KINDS, Endpoint, Function, ModelSpec, Named, Offline, Program, Spec, parse_spec
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


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a match: the SPEC, a name for people, the kind, what it is, and the settings that its model has."""

    spec: Spec
    name: str
    kind: str
    identity: SeatIdentity
    settings: SeatSettings = DEFAULT_SETTINGS

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Seat:
        """The player in a log's header or result, without identity and settings."""
        return cls(parse_spec(str(record["spec"])), str(record["name"]), str(record["kind"]), {})

    @classmethod
    def logged(cls, record: Mapping[str, Any]) -> Seat:
        """The whole seat in a log's header."""
        identity: Any = {name: record[name] for name in SeatIdentity.__annotations__ if name in record}
        return replace(cls.of(record), identity=identity, settings=SeatSettings.of_record(record))

    def to_json(self) -> dict[str, object]:
        return {"spec": self.spec.text, "name": self.name, "kind": self.kind, **self.identity, **self.settings.to_json()}

    @property
    def called(self) -> str:
        """The name that somebody gave the player, or that of its agent; empty where the name only repeats the SPEC."""
        is_agent = isinstance(parse_spec(self.spec.text), Named) and self.kind in _NAMED
        return self.name if is_agent or is_given(self.name, self.spec) else ""


_NAMED = {kind.kind for kind in (Endpoint, Offline, Program, Function)}
MODELS = {kind.kind for kind in KINDS if issubclass(kind, ModelSpec)}
"""What logs call the kinds of seat that a model plays."""


def same_seats(seats: Sequence[Seat], logged: Sequence[Mapping[str, Any]]) -> bool:
    """Whether seats are those of a log's header, however an older version has written them."""
    return [seat.to_json() for seat in seats] == [Seat.logged(record).to_json() for record in logged]


def is_rated(seats: Sequence[Mapping[str, object]]) -> bool:
    return any(seat.get("rated") is True for seat in seats)


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
