"""Seats: the SPEC, the text that says who plays one, parsed once into one of the kinds of seat; what names of agents.toml, of
installed packages and of `.env` stand for; and the seat of a match, as its log has it, and its agent."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard

from games.core import Game, listed, quoted, seat_name
from runner.agents.bot_seats import BOT, Bot
from runner.agents.environment import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, Environment, other_endpoint, seat_variable
from runner.agents.function_agent import FUNCTION, Function, InstalledFunction, installed_functions
from runner.agents.model_seats import Endpoint, Local, ModelSpec, Named, Offline, model_of, thinking
from runner.agents.program_seat import PROGRAM, Program, command_fault
from runner.agents.protocol import Agent
from runner.agents.seat_kind import PACK, AgentContext, SeatIdentity, Spec
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.agents.waiting_agents import HUMAN, MCP, Human, Mcp
from runner.errors import AccountError, UsageError, at_seat
from runner.llm.offline import OFFLINE_NAME as OFFLINE
from runner.local import LOCAL

if TYPE_CHECKING:
    from runner.agents.agent_entries import FunctionEntry, ProgramEntry


__all__ = ["BOT", "FUNCTION", "HUMAN", "KINDS", "LOCAL", "MCP", "OFFLINE", "PACK", "PROGRAM"]
__all__ += ["Bot", "Endpoint", "Function", "Human", "Local", "Mcp", "ModelSpec", "Named", "Offline", "Program", "Spec"]
__all__ += ["command_fault"]

KINDS: tuple[type[Spec], ...] = (Bot, Human, Mcp, Offline, Local, Program, Function, Endpoint, Named)
"""Every kind of seat. A text is of the first that takes it for its own; the last one takes every text."""

_ROUTED = re.compile(r"openrouter/(?=[^@/]+/[^@]*$)")
"""`openrouter/VENDOR/MODEL`, as LiteLLM and others write VENDOR/MODEL. `openrouter/auto` is a model of OpenRouter's own."""
_NAMED = re.compile(r"\s*([^=:/@+\s][^=:/@+]*)=(.*)", re.DOTALL)
"""NAME=SPEC. A name has no mark of a SPEC, so that the `=` of an address or a folder begins none."""


LONGEST_SPEC, LONGEST_MODEL = 4096, 200
"""Characters of a SPEC in a new match, and of the name of a model in it."""


def parse_spec(text: str) -> Spec:
    """The SPEC in a text. `check_spec` tells whether the bot, agent or address exists and whether the name is one."""
    named = _NAMED.fullmatch(text)
    return replace(_typed(named[2].lstrip()), player=named[1].rstrip()) if named else _typed(text)


def _typed(text: str) -> Spec:
    if routed := _ROUTED.match(text):
        text = text[routed.end() :]
    who, mark, folder = text.partition(PACK)
    pack = Path(folder) if mark else None
    return next(spec for spec in (kind.parse(text, who, pack) for kind in KINDS) if spec is not None)


def forms() -> Iterator[str]:
    """How people write the kinds of seat, one form after the other."""
    return (form for kind in KINDS for form in kind.forms)


def with_pack(spec: Spec, folder: Path | None) -> Spec:
    """The same player with another prompt pack."""
    return spec if folder is None else parse_spec(f"{spec.named_text}{PACK}{folder}")


def length_fault(spec: Spec) -> str | None:
    """What is too long of a SPEC for a new match; None when nothing is."""
    if len(spec.named_text) > LONGEST_SPEC:
        return f"a SPEC has at most {LONGEST_SPEC:,} characters"
    model = spec.name if isinstance(spec, Named) else spec.model if isinstance(spec, Endpoint | Offline) else ""
    return f"the name of a model has at most {LONGEST_MODEL} characters" if len(model) > LONGEST_MODEL else None


def model_flaw(text: str) -> str | None:
    """Why a SPEC is none of a model in a new match; None for one that is."""
    spec = parse_spec(text)
    return length_fault(spec) if is_model(spec) else f"that is no model; seat it with --seat {text}"


def is_model(spec: Spec) -> TypeGuard[ModelSpec]:
    """Whether a model plays the seat."""
    return isinstance(spec, ModelSpec)


def needs_client(specs: Iterable[Spec]) -> bool:
    return any(map(is_model, specs))


def seat_spec(text: str, environment: Environment) -> Spec:
    """The SPEC in a text, with names of this environment resolved."""
    return resolved(parse_spec(text), environment)


def resolved(spec: Spec, environment: Environment) -> Spec:
    """The program or function with a name, one of agents.toml before an entry point; a bare model name with the endpoint that
    the environment has for it; any other SPEC as it is."""
    if isinstance(spec, Endpoint) and spec.url is None:
        return _at_endpoint(spec, environment)
    if not isinstance(spec, Named) or spec.name in environment.agents or spec.name in environment.faults:
        return spec
    if (entry := environment.programs.get(spec.name)) is not None:
        return _program(spec, entry)
    found = installed().get(spec.name)
    if found is None:
        return _at_endpoint(spec, environment) if spec.name else spec
    return Function(spec.text, spec.pack, found.module, found.name, player=spec.player)


def _program(named: Named, entry: ProgramEntry | FunctionEntry) -> Spec:
    """The program or function of agents.toml."""
    from runner.agents.agent_entries import ProgramEntry

    of_text, limit = (named.text, named.pack), entry.time_limit
    if isinstance(entry, ProgramEntry):
        variables = entry.environment
        return Program(*of_text, entry.program, player=named.player, time_limit=limit, environment=variables)
    module, _, name = entry.function.partition(":")
    return Function(*of_text, module, name, player=named.player, time_limit=limit)


def installed() -> Mapping[str, InstalledFunction]:
    """The functions of installed packages by their names. A name of another kind of seat, such as human, stays what it is."""
    return {name: found for name, found in installed_functions().items() if name and isinstance(parse_spec(name), Named)}


def _at_endpoint(spec: Endpoint | Named, environment: Environment) -> Spec:
    """The model at OPENAI_BASE_URL, where that is the endpoint of bare names."""
    url = other_endpoint(environment)
    if url is None:
        return spec
    _, mark, folder = spec.text.partition(PACK)
    return replace(parse_spec(f"{spec.who}@{url}{mark}{folder}"), player=spec.player)


def known_names(environment: Environment) -> list[str]:
    """The names that agents.toml and installed packages give."""
    return list(dict.fromkeys((*environment.agents, *environment.programs, *installed())))


_MODEL_WITH_A_KEY = "openai/gpt-5-mini"


@dataclass(frozen=True, slots=True)
class Filled:
    """The SPEC of every seat. `offline_by_default`: without a key, the offline model plays the free seats. `paid_by_default`:
    the model that plays them with a key, which costs money."""

    specs: tuple[Spec, ...]
    offline_by_default: bool
    paid_by_default: str | None = None


def fill_seats(given: Sequence[str], players: int, environment: Environment) -> Filled:
    """A SPEC for each seat: those given, then MODEL_PLAYER_n, the default model, the offline one. UsageError for too many."""
    if len(given) > players:
        raise UsageError(
            f"There are {len(given)} --seat options but only {players} seats: raise --num-players or leave some out."
        )
    named, has_key = environment.get(DEFAULT_MODEL_VARIABLE), KEY_VARIABLE in environment
    default = named or (_MODEL_WITH_A_KEY if has_key else OFFLINE)
    free = [seat for seat in range(len(given), players) if not environment.get(seat_variable(seat))]
    rest = [environment.get(seat_variable(seat), default) for seat in range(len(given), players)]
    paid = _MODEL_WITH_A_KEY if free and has_key and not named else None
    specs = tuple(seat_spec(text, environment) for text in (*given, *rest))
    return Filled(specs, OFFLINE in rest and not has_key, paid)


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
    return f"a name takes at most {MOST_CELLS} columns" if cells(name) > MOST_CELLS else None


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
    def of(cls, record: Seat | Mapping[str, Any]) -> Seat:
        """The seat, or the player in a log's header or result, without identity and settings."""
        if isinstance(record, Seat):
            return record
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
        is_agent = isinstance(parse_spec(self.spec.text), Named) and self.kind in _OF_AGENTS
        return self.name if is_agent or is_given(self.name, self.spec) else ""


_OF_AGENTS = {kind.kind for kind in (Endpoint, Offline, Program, Function)}
MODELS = {kind.kind for kind in KINDS if issubclass(kind, ModelSpec)}
"""What logs call the kinds of seat that a model plays."""


def same_seats(seats: Sequence[Seat], logged: Sequence[Mapping[str, Any]]) -> bool:
    """Whether seats are those of a log's header, however an older version has written them."""
    return [seat.to_json() for seat in seats] == [Seat.logged(record).to_json() for record in logged]


def is_rated(seats: Sequence[Mapping[str, object]]) -> bool:
    return any(seat.get("rated") is True for seat in seats)


LoggedSeat = Seat | Mapping[str, Any]
"""A seat, or what a log has of it."""


def labels(seats: Sequence[LoggedSeat]) -> tuple[str, ...]:
    """What people read for each seat: the given name, else the short one of what plays it, with a number where several have
    it (`steady 2`, or `p #2` where `p 2` reads like a seat)."""
    names = [seat.called or seat.spec.short_name or seat.spec.text for seat in map(Seat.of, seats)]
    shared = Counter(map(str.casefold, names))
    taken = {name for name in shared if shared[name] == 1 and not stands_for_seat(name)}
    for seat, name in enumerate(names):
        if name.casefold() not in taken:
            mark = "#" if stands_for_seat(f"{name} 1") else ""
            names[seat] = next(text for number in count(1) if (text := f"{name} {mark}{number}").casefold() not in taken)
            taken.add(names[seat].casefold())
    return tuple(names)


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
