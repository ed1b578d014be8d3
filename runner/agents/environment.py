"""Settings: the variables and named agents that a command was started with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runner.agents.agents_file import AgentEntry
    from runner.agents.match_defaults import MatchDefaults
    from runner.agents.program_entry import FunctionEntry, ProgramEntry

KEY_VARIABLE = "OPENROUTER_API_KEY"
DEFAULT_MODEL_VARIABLE = "DEFAULT_MODEL"
OTHER_KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
KEY_HOSTS_VARIABLE = "TABLETOP_KEY_HOSTS"


@dataclass(frozen=True, slots=True)
class Settings(Mapping[str, str]):
    """The variables by name, and from agents.toml: the models, the programs and functions by name, the faults of its tables,
    the match defaults. `own` names the variables that `.env` defines."""

    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    agents: Mapping[str, AgentEntry] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    defaults: MatchDefaults | None = None
    programs: Mapping[str, ProgramEntry | FunctionEntry] = field(default_factory=dict)
    own: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> str:
        return self.variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)


def seat_variable(seat: int) -> str:
    """The variable that names a seat's model: MODEL_PLAYER_0, ..."""
    return f"MODEL_PLAYER_{seat}"
