"""SPEC: the text that says who plays a seat, parsed once into one of the kinds of seat; NAME=SPEC names the player. Names of
agents.toml, of installed packages and of `.env` are resolved here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from runner.agents.bot_seats import BOT, Bot
from runner.agents.environment import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, Environment, other_endpoint, seat_variable
from runner.agents.function_agent import FUNCTION, Function, InstalledFunction, installed_functions
from runner.agents.model_seats import Endpoint, Local, ModelSpec, Named, Offline
from runner.agents.program_seat import PROGRAM, Program, command_fault
from runner.agents.seat_kind import PACK, Spec
from runner.agents.waiting_agents import HUMAN, MCP, Human, Mcp
from runner.errors import UsageError
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
    found = (kind.parse(text, who, pack) for kind in KINDS)
    return next(spec for spec in found if spec is not None)


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
