"""Configuration files: the environment of a command, read from its variables, from `.env` and from agents.toml: named agents,
programs and functions, and the table of match defaults."""

import io
import os
import re
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from games.core import quoted
from runner.agents.agent_entries import AgentEntry, FunctionEntry, PricesEntry, ProgramEntry, ProviderEntry, ReasoningEntry
from runner.agents.environment import SEAT_VARIABLES, Environment
from runner.agents.spec import Human, Named, command_fault, model_flaw, name_fault, parse_spec
from runner.digest import canonical, digest_of
from runner.errors import AccountError, TabletopError, UnreadableFileError
from runner.files import read_regular_text, read_toml
from runner.llm.address import without_password
from runner.validation import first_problem

_LARGEST_VALUES = 2**20
"""Characters that the values of `.env` may have together."""

_BLANKS = re.compile(r"[^\S\n]{200}")
_REFERENCE = re.compile(r"\$\{([^}:{]*)(?::-([^}{]*))?\}")


def read_environment() -> Environment:
    """The environment's variables before those of `.env` in the current folder, and what its `agents.toml` defines. Empty
    values count as absent. AccountError for a file that cannot be read."""
    dotenv, text = _text(Path(".env")), _text(Path("agents.toml"))
    values = _dotenv(dotenv)
    variables = {name: value for name, value in {**values, **os.environ}.items() if value}
    own = frozenset(values.keys() - os.environ.keys())
    files = digest_of(canonical([str(Path.cwd()), dotenv, text])) if dotenv or text else ""
    found = Environment()
    if text:
        found = parse_agents(text)
    return replace(found, variables=variables, own=own, files=files)


def seat_faults(environment: Environment) -> list[str]:
    """A sentence for each variable that names a player that no game accepts."""
    faults = [(name, seat_fault(environment[name], environment)) for name in SEAT_VARIABLES if name in environment]
    return [f"{name}: {fault}" for name, fault in faults if fault is not None]


def seat_fault(text: str, environment: Environment) -> str | None:
    """What is wrong with a SPEC in every game; None when one game takes it."""
    import games
    from runner.agents.spec import check_spec, seat_spec

    faults = []
    known = games.registered().games
    for game in known:
        try:
            check_spec(seat_spec(text, environment), game, environment, asks=(Human,))
        except TabletopError as error:
            faults.append(str(error))
    return faults[-1] if len(faults) == len(known) else None


def _dotenv(text: str) -> Mapping[str, str]:
    """The variables of `.env`, with the `${NAME}` in their values replaced. AccountError for a line that cannot be read, and
    when that makes the values too large."""
    if not text:
        return {}
    from dotenv.parser import parse_stream

    if _BLANKS.search(text):  # python-dotenv looks from each blank at all that follow
        raise AccountError(".env cannot be read: it has 200 blanks in a row.")
    found, left = dict[str, str](), _LARGEST_VALUES
    known = ChainMap[str, str](found, os.environ)
    for line in parse_stream(io.StringIO(text)):
        if line.error:
            blank = len(line.original.string) - len(line.original.string.lstrip())
            number = line.original.line + line.original.string.count("\n", 0, blank)
            raise AccountError(f".env, line {number}, cannot be read: write NAME=value, and end a quotation as it begins.")
        value = line.value or ""
        left -= len(value) + sum(len(known.get(name[1], "")) for name in _REFERENCE.finditer(value))
        if left < 0:
            raise AccountError(
                f".env cannot be read: its values, with ${{NAME}} replaced, exceed {_LARGEST_VALUES:,} characters."
            )
        if line.key is not None:
            found[line.key] = _REFERENCE.sub(lambda name: known.get(name[1], name[2] or ""), value)
    return found


def _text(path: Path) -> str:
    """The text of a settings file; empty without the file. AccountError when it cannot be read."""
    try:
        return read_regular_text(path, "The file")
    except UnreadableFileError as error:
        if error.is_missing:
            return ""
        raise AccountError(f"{path.name} cannot be read: {error.reason}.") from error


FILE = "agents.toml"
DEFAULTS = "defaults"
"""The table that is no agent."""

_PATTERNS = {
    "base_url": "it has to be an address such as http://HOST:PORT/v1",
    "key": "it has to be the name of a variable, which holds the key",
    "function": "it has to be MODULE:NAME",
}
_TABLES: dict[str, type[BaseModel]] = {"reasoning": ReasoningEntry, "provider": ProviderEntry, "prices": PricesEntry}
"""The models of an agent's tables."""

Entry = AgentEntry | ProgramEntry | FunctionEntry
_KINDS: dict[str, type[Entry]] = {"program": ProgramEntry, "function": FunctionEntry}
"""What a table is, by the field that only it has; without one it is a model."""


def parse_agents(text: str) -> Environment:
    """What `agents.toml` defines, without variables; a faulty table harms no other. AccountError for what is no TOML."""
    try:
        tables = read_toml(text)
    except ValueError as error:
        raise AccountError(f"{FILE} cannot be read: {error}.") from error
    defaults, agents, faults = tables.pop(DEFAULTS, {}), dict[str, AgentEntry](), dict[str, str]()
    programs: dict[str, ProgramEntry | FunctionEntry] = {}
    for name, table in tables.items():
        try:
            if isinstance(entry := _entry(name, table), AgentEntry):
                agents[name] = entry
            else:
                programs[name] = entry
        except TabletopError as error:
            faults[name] = str(error)
    return Environment({}, agents, faults, defaults, programs)


def _entry(name: str, table: object) -> Entry:
    if not isinstance(table, dict):
        raise AccountError(f"{FILE}: {name} has to be a table, [{name}], with a model, a program or a function.")
    if {":", "="} & {*name} or not isinstance(parse_spec(name), Named):
        raise AccountError(f"{FILE}: an agent cannot be called {quoted(name)}: that stands for something else already.")
    kind = next((kind for field, kind in _KINDS.items() if field in table), AgentEntry)
    try:
        found = kind.model_validate(table)
    except ValidationError as error:
        why = without_password(first_problem(error, kind, _PATTERNS, **_TABLES))
        raise AccountError(f"{FILE}, agent {name}: {why}") from error
    for field, fault in _faults(found).items():
        given = getattr(found, field)
        if fault is not None:
            raise AccountError(f"{FILE}, agent {name}: {field} cannot be {quoted(given)}: {fault}.")
    return found


def _faults(entry: Entry) -> dict[str, str | None]:
    """What is wrong with fields of an entry, None for nothing."""
    found: dict[str, str | None] = {}
    if entry.name is not None and (fault := name_fault(entry.name)) is not None:
        found["name"] = f"{quoted(entry.name)} is no name: {fault}"
    if isinstance(entry, AgentEntry):
        found["model"] = model_flaw(entry.model)
    if isinstance(entry, ProgramEntry):
        found["program"] = command_fault(entry.program)
    return found
