"""Settings from the environment, from `.env` and from `agents.toml`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dotenv import dotenv_values

if TYPE_CHECKING:
    from runner.agents.roster import AgentEntry

KEY_VARIABLE = "OPENROUTER_API_KEY"
DEFAULT_MODEL_VARIABLE = "DEFAULT_MODEL"
OTHER_KEY_VARIABLE = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class Settings(Mapping[str, str]):
    """The variables by name, and the agents that have names of their own."""

    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    agents: Mapping[str, AgentEntry] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)


def load_settings(folder: Path | None = None) -> Settings:
    """The variables of the process over those of `.env` in the folder (the current one), and the agents of `agents.toml`.

    Empty values count as absent. AccountError when `agents.toml` is not sound.
    """
    folder = folder or Path.cwd()
    path = folder / ".env"
    from_file = dotenv_values(path) if path.is_file() else {}
    variables = {name: value for name, value in {**from_file, **os.environ}.items() if value}
    if not (folder / "agents.toml").is_file():
        return Settings(variables)
    from runner.agents.roster import load_roster

    return Settings(variables, load_roster(folder))


def seat_variable(seat: int) -> str:
    """The variable that names the model of a seat: MODEL_PLAYER_0, ..."""
    return f"MODEL_PLAYER_{seat}"
