"""Settings from the environment, from `.env` and from `agents.toml`."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dotenv import dotenv_values

from runner.errors import AccountError

if TYPE_CHECKING:
    from runner.agents.agents_file import AgentEntry

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

    Empty values count as absent. AccountError when `.env` or `agents.toml` is not sound.
    """
    folder = folder or Path.cwd()
    variables = {name: value for name, value in {**_from_file(folder / ".env"), **os.environ}.items() if value}
    if not (folder / "agents.toml").exists():
        return Settings(variables)
    from runner.agents.agents_file import load_roster

    return Settings(variables, load_roster(folder))


def _from_file(path: Path) -> Mapping[str, str | None]:
    if not path.exists():
        return {}
    try:
        return dotenv_values(stream=io.StringIO(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise AccountError(f"{path.name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise AccountError(f"{path.name} cannot be read: it is not text in UTF-8.") from error


def seat_variable(seat: int) -> str:
    """The variable that names the model of a seat: MODEL_PLAYER_0, ..."""
    return f"MODEL_PLAYER_{seat}"
