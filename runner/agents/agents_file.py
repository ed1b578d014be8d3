"""agents.toml: named agents, programs and functions, and the table of match defaults."""

from pydantic import BaseModel, ValidationError

from games.core import quoted
from runner.agents.agent_entries import AgentEntry, FunctionEntry, PricesEntry, ProgramEntry, ProviderEntry, ReasoningEntry
from runner.agents.environment import Environment
from runner.agents.spec import Named, command_fault, model_flaw, name_fault, parse_spec
from runner.errors import AccountError, TabletopError
from runner.files import read_toml
from runner.llm.address import without_password
from runner.validation import first_problem

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
