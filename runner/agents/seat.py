"""Seats: who plays them, as the log's header has it; from the SPEC of each to its description and its agent."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from games.core import Game, listed, quoted, seat_name
from runner.agents.environment import Environment
from runner.agents.model_seats import model_of, thinking
from runner.agents.protocol import Agent
from runner.agents.seat_kind import AgentContext, SeatIdentity
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.agents.spec import (
    HUMAN,
    KINDS,
    OFFLINE,
    Endpoint,
    Function,
    ModelSpec,
    Named,
    Offline,
    Program,
    Spec,
    forms,
    is_model,
    known_names,
    length_fault,
    parse_spec,
)
from runner.errors import AccountError, UsageError, at_seat

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


def check_spec(spec: Spec, game: Game, environment: Environment, asks: Sequence[type[Spec]] = ()) -> None:
    """UsageError for a text that is too long, for a bot, an agent or an address that does not exist, and for a person or an MCP
    client where none can be asked: `asks` has the kinds of seat that can. AccountError for an agent with a fault."""
    if (fault := length_fault(spec)) is not None:
        raise UsageError(f"The seat {quoted(spec.named_text)} is too long: {fault}.")
    if isinstance(spec, Named) and spec.name not in environment.agents:
        raise _no_agent(spec.name, environment)
    spec.check(game, environment, asks)


def _no_agent(name: str, environment: Environment) -> UsageError | AccountError:
    """Why there is no agent of a name."""
    if name in environment.faults:
        return AccountError(
            environment.faults[name], remedy="Correct it, or name another seat; `tabletop agents` lists the others."
        )
    if not name:
        return UsageError("A name without a player was given: write NAME=SPEC, as in ada=offline.")
    names = known_names(environment)
    near = get_close_matches(name, (*names, HUMAN, OFFLINE), 1)
    meant = f" Did you mean {near[0]}?" if near else ""
    known = [name for name in names if name in environment.agents or name in environment.programs]
    agents = [f"an agent of agents.toml ({', '.join(known)})"] if known else []
    return UsageError(f"There is no seat {quoted(name)}: a seat is {listed([*agents, *forms()])}.{meant}")


def describe_seat(spec: Spec, environment: Environment, settings: SeatSettings | None = None) -> Seat:
    """The seat of a SPEC as it is shown and logged, with the settings of its agent unless others are given."""
    kind, identity, name = spec.kind_in(environment), spec.describe(environment), spec.given_name(environment)
    if not is_model(spec):
        return Seat(spec, name or spec.default_name, kind, identity)
    own = spec.settings(environment) if settings is None else settings
    own = own if kind == Offline.kind else own.without(["mistakes"])
    return Seat(spec, name or spec.default_name, kind, thinking(identity, own), own)


async def seat_agents(
    seats: Sequence[Seat], context: AgentContext, ready: Mapping[int, Agent] = MappingProxyType({})
) -> list[Agent]:
    """An agent for each seat that is not `ready`. TabletopError, before any call, for one that is not available."""
    await _prepare_models(seats, context)
    agents = list[Agent]()
    for number, seat in enumerate(seats):
        agents.append(ready[number] if number in ready else await seat.spec.make(seat.settings, number, context))
    return agents


async def _prepare_models(seats: Sequence[Seat], context: AgentContext) -> None:
    """Check every model, then start the servers of model files."""
    has_files = False
    for number, seat in enumerate(seats):
        if is_model(seat.spec):
            with at_seat(number):
                has_files |= model_of(seat.spec, context.environment, seat.settings).connector is not None
    if has_files:
        from runner.agents.preflight import MatchSeats, start_local

        table = MatchSeats(context.game, context.setup, [(seat.spec, seat.settings) for seat in seats])
        await start_local([table], context.pack, context.environment)
