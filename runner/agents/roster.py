"""Agents by name, from `agents.toml`: which model, where, and how it is to be called."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.core import listed, quoted
from runner.agents.manner import Manner
from runner.errors import AccountError

FILE = "agents.toml"
OPENROUTER = "https://openrouter.ai/api/v1"
_SAMPLING = ("temperature", "top_p", "top_k", "min_p", "seed", "frequency_penalty", "presence_penalty", "reasoning", "provider")


class PricesEntry(BaseModel):
    """USD for a million tokens, where the endpoint does not say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class AgentEntry(BaseModel):
    """One agent. `key` names the variable that holds the key; `extra` goes into every request as it stands; `openrouter` says
    that a server of another name takes OpenRouter's own fields, too."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(min_length=1)
    base_url: str = Field(default=OPENROUTER, pattern=r"^https?://[^/\s]+")
    key: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    prompts: Path | None = None
    form: Literal["strict_schema", "tool", "json_object", "text"] | None = None
    time_limit: float = Field(default=120.0, gt=0, le=3600)
    max_tokens: int = Field(default=4096, ge=16)
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    top_k: int | None = Field(default=None, ge=0)
    min_p: float | None = Field(default=None, ge=0, le=1)
    seed: int | None = None
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    reasoning: dict[str, Any] | None = None
    provider: dict[str, Any] | None = None
    openrouter: bool | None = None
    extra: dict[str, Any] = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)
    prices: PricesEntry | None = None
    help: Literal["legal", "shape", "none"] = "legal"
    memory: Literal["none", "notes", "full"] = "none"
    memory_tokens: int = Field(default=16_000, ge=500)

    @property
    def manner(self) -> Manner:
        """How the model is asked."""
        return Manner(self.help, self.memory, self.memory_tokens)

    @property
    def parameters(self) -> dict[str, Any]:
        """What goes into the request body."""
        given = {name: value for name in _SAMPLING if (value := getattr(self, name)) is not None}
        return {**given, **self.extra}


def load_roster(folder: Path) -> Mapping[str, AgentEntry]:
    """The agents of `agents.toml` in a folder, none when there is no such file. AccountError names file, agent and entry."""
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AccountError(f"{path.name} cannot be read: {error}.") from error
    return {name: _entry(name, table) for name, table in tables.items()}


def _entry(name: str, table: Any) -> AgentEntry:
    if not isinstance(table, dict):
        raise AccountError(f"{FILE}: {name} has to be a table, [{name}], with a model.")
    if ":" in name or "/" in name or "@" in name or name == "offline" or name == "human":
        raise AccountError(f"{FILE}: an agent cannot be called {quoted(name)}: that stands for something else already.")
    try:
        return AgentEntry.model_validate(table)
    except ValidationError as error:
        raise AccountError(f"{FILE}, agent {name}: {_sentence(error)}") from error


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"{where} is not known; there is {listed(sorted(AgentEntry.model_fields))}."
    if first["type"] == "missing":
        return f"{where} is missing."
    return f"{where} cannot be {quoted(first['input'])}: {first['msg']}."
