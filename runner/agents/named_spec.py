"""Named SPEC: what the names of agents.toml, of installed packages and of `.env` stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runner.agents.environment import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, Environment, other_endpoint, seat_variable
from runner.agents.function_loader import InstalledFunction, installed_functions
from runner.agents.spec import OFFLINE, PACK, Endpoint, Function, Named, Program, Spec, parse_spec
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.agents.agent_entries import FunctionEntry, ProgramEntry


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
