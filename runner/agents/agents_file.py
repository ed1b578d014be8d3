"""agents.toml: named agents, each with its model, endpoint and settings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
    field_serializer,
    field_validator,
    model_validator,
)

from games.core import quoted
from runner.agents.choice_order import Order
from runner.agents.match_defaults import TABLE_OF_DEFAULTS, MatchDefaults
from runner.agents.seat import name_fault
from runner.agents.settings import LONGEST_ADVICE, LONGEST_PERSONA, NO_ADVICE, AgentSettings, Reason
from runner.agents.spec import TIME_LIMIT, Function, Local, Named, Offline, Program, Spec, command_fault, model_flaw, parse_spec
from runner.errors import AccountError, TabletopError
from runner.files import read_toml
from runner.llm.address import AddressError, parse_address, without_password
from runner.llm.offline import OFFLINE_URL
from runner.llm.redact import without_named_secrets
from runner.llm.request import OPENROUTER, SAMPLING_PARAMETERS
from runner.validation_messages import first_problem


def _is_json(table: dict[str, object]) -> dict[str, object]:
    for name, value in table.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(f"{name} is no JSON value; dates, times, NaN and infinity are none") from None
    return table


JsonTable = Annotated[dict[str, object], AfterValidator(_is_json)]
"""A table that goes into requests."""


def _is_name(name: str) -> str:
    if (fault := name_fault(name)) is not None:
        raise ValueError(f"{quoted(name)} is no name: {fault}")
    return name


_PlayerName = Annotated[str, AfterValidator(_is_name)]

TABLE = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, str_max_length=16_384)
"""Tables have no other fields, no NaN, and no text that is longer."""


class PricesEntry(BaseModel):
    """USD for a million tokens, for endpoints that do not list prices."""

    model_config = TABLE

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class ReasoningEntry(BaseModel):
    """Reasoning settings (openrouter.ai/docs, reasoning tokens)."""

    model_config = TABLE

    effort: Literal["max", "xhigh", "high", "medium", "low", "minimal", "none"] | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    exclude: bool | None = None
    enabled: bool | None = None
    summary: str | None = None


class ProviderEntry(BaseModel):
    """Provider routing and data policy (openrouter.ai/docs, provider routing)."""

    model_config = TABLE

    order: list[str] | None = None
    only: list[str] | None = None
    ignore: list[str] | None = None
    allow_fallbacks: bool | None = None
    require_parameters: bool | None = None
    data_collection: Literal["allow", "deny"] | None = None
    zdr: bool | None = None
    enforce_distillable_text: bool | None = None
    quantizations: list[str] | None = None
    sort: Literal["price", "throughput", "latency"] | JsonTable | None = None
    preferred_min_throughput: float | dict[str, float] | None = None
    preferred_max_latency: float | dict[str, float] | None = None
    max_price: dict[Literal["prompt", "completion", "request", "image", "audio"], float] | None = None

    @field_serializer("max_price")
    def _as_text(self, prices: dict[str, float] | None) -> dict[str, str] | None:
        """The prices as text, as OpenRouter documents them."""
        return None if prices is None else {name: f"{price:g}" for name, price in prices.items()}


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class OwnEntry(BaseModel):
    """What both kinds have: the player's name, and the seconds for an answer."""

    model_config = TABLE

    name: _PlayerName | None = None
    time_limit: float = Field(default=TIME_LIMIT, gt=0, le=86_400)

    @property
    def shown(self) -> dict[str, object]:
        return self.model_dump(mode="json", exclude_defaults=True)


class ProgramEntry(OwnEntry):
    """A program: its command line, and the variables of .env or the environment that it gets although they hold a secret."""

    program: str = Field(min_length=1)
    environment: tuple[str, ...] = ()

    @field_validator("program")
    @classmethod
    def _is_command(cls, program: str) -> str:
        if (fault := command_fault(program)) is not None:
            raise ValueError(fault)
        return program

    @field_validator("environment")
    @classmethod
    def _are_variables(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [name for name in names if not _VARIABLE.fullmatch(name)]:
            raise ValueError(f"{quoted(wrong[0])} is no name of a variable")
        return names

    def spec(self, named: Named) -> Program:
        limit, environment = self.time_limit, self.environment
        return Program(named.text, named.pack, self.program, player=named.player, time_limit=limit, environment=environment)


class FunctionEntry(OwnEntry):
    """A Python function: `MODULE:NAME`."""

    function: str = Field(pattern=r"^[^:\s]+:[^:\s]+$")

    def spec(self, named: Named) -> Function:
        module, _, name = self.function.partition(":")
        return Function(named.text, named.pack, module, name, player=named.player, time_limit=self.time_limit)


FILE = "agents.toml"
LOCAL_REPLY, LOCAL_SECONDS = 1024, 900.0
"""The longest reply of a model file in tokens, and the seconds for a call, unless agents.toml says otherwise: processors are
slow, and the room for the reply of each slot takes memory."""

_PARAMETERS = SAMPLING_PARAMETERS | {"provider"}
_OWN_FIELDS = {
    *("model", "messages", "stream", "stream_options", "n", "response_format", "tools", "tool_choice", "max_tokens"),
    *("max_completion_tokens", *_PARAMETERS),
}
"""Fields of a request that `extra` cannot set."""

_LOCAL = {"context", "threads", "gpu_layers", "parallel"}
_DEFAULTS: dict[type[Spec], dict[str, object]] = {
    Offline: {"base_url": OFFLINE_URL},
    Local: {"time_limit": LOCAL_SECONDS, "max_tokens": LOCAL_REPLY},
}
"""Defaults of the models of this machine."""

_HIGH, _HIGH_TOKENS = {"effort": "high"}, 16_384
"""The reasoning of `help = "kaggle"`, and the bound on replies that leaves room for it."""

_NOT_LOCAL = {"base_url", "key", "prices", "provider", "openrouter", "headers", "cache"}
"""Settings of a model file's server, and of endpoints."""

_PATTERNS = {
    "base_url": "it has to be an address such as http://HOST:PORT/v1",
    "key": "it has to be the name of a variable, which holds the key",
    "function": "it has to be MODULE:NAME",
}


class AgentEntry(BaseModel):
    """One agent. `name` is what people call it; `persona` goes into its system message, `advice` takes the place of the pack's
    ("none" leaves it out). `retries` bounds how often a failed call is repeated; `key` names the variable that holds the key;
    `extra` goes into every request unchanged; `openrouter` says that a server at another host takes OpenRouter's own fields;
    `system = "merge"` puts the system text into the first user message, for a model without a system role; `stream` asks for
    replies as streams; `context`, `threads`, `gpu_layers` and `parallel` are for the server of a `gguf:PATH` model.
    """

    model_config = TABLE

    model: str = Field(min_length=1)
    name: _PlayerName | None = None
    persona: str = Field(default="", max_length=LONGEST_PERSONA)
    advice: str | None = Field(default=None, max_length=LONGEST_ADVICE)
    base_url: str = Field(default=OPENROUTER, pattern=r"^https?://[^/\s]+")
    key: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    prompts: Path | None = None
    form: Literal["strict_schema", "tool", "json_object", "text"] | None = None
    time_limit: float = Field(default=120.0, gt=0, le=3600)
    retries: int | None = Field(default=None, ge=0, le=50)
    cache: bool | None = None
    system: Literal["message", "merge"] = "message"
    stream: StrictBool = False
    max_tokens: int = Field(default=4096, ge=16)
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    top_k: int | None = Field(default=None, ge=0)
    min_p: float | None = Field(default=None, ge=0, le=1)
    seed: int | None = None
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    top_a: float | None = Field(default=None, ge=0, le=1)
    repetition_penalty: float | None = Field(default=None, ge=0, le=2)
    stop: str | list[str] | None = None
    reasoning: ReasoningEntry | None = None
    provider: ProviderEntry | None = None
    openrouter: bool | None = None
    extra: JsonTable = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)
    prices: PricesEntry | None = None
    help: Literal["legal", "shape", "kaggle", "none"] = "legal"
    memory: Literal["none", "notes", "summary", "full"] = "none"
    memory_tokens: int = Field(default=16_000, ge=500)
    reason: Literal["auto"] | StrictBool = "auto"
    belief: StrictBool = False
    choices: Order = "listed"
    policy: StrictBool | Literal["play"] = False
    context: int | None = Field(default=None, ge=512)
    threads: int | None = Field(default=None, ge=1, le=1024)
    gpu_layers: int | None = Field(default=None, ge=0)
    parallel: int | None = Field(default=None, ge=1, le=256)

    @model_validator(mode="before")
    @classmethod
    def _is_built_in(cls, table: object) -> object:
        """The offline model is in this process, unless an address is given. A model file has its own server."""
        if not isinstance(table, dict):
            return table
        spec = parse_spec(str(table.get("model")))
        foreign = _NOT_LOCAL if isinstance(spec, Local) else _LOCAL
        if given := sorted(foreign & table.keys()):
            raise ValueError(f"{given[0]} is {'no' if isinstance(spec, Local) else 'only a'} setting of a gguf:PATH model")
        if table.get("help") == "kaggle":
            if table.get("reasoning", _HIGH) != _HIGH:
                raise ValueError('help = "kaggle" sets reasoning = {effort = "high"}')
            table = {"max_tokens": _HIGH_TOKENS, **table, "reasoning": _HIGH}
        return {**_DEFAULTS.get(type(spec), {}), **table}

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        try:
            return parse_address(url).full
        except AddressError as fault:
            raise ValueError(f"it {fault}") from None

    @field_validator("persona", "advice")
    @classmethod
    def _is_text(cls, text: str) -> str:
        return NO_ADVICE if text.strip().casefold() == NO_ADVICE else text.strip()

    @field_validator("model")
    @classmethod
    def _is_model(cls, model: str) -> str:
        if (fault := model_flaw(model)) is not None:
            raise ValueError(fault)
        return model

    @property
    def is_offline(self) -> bool:
        return self.base_url == OFFLINE_URL

    @property
    def local_path(self) -> Path | None:
        """The model file that tabletop runs; None for a model at an endpoint."""
        spec = parse_spec(self.model)
        return spec.path if isinstance(spec, Local) else None

    @property
    def settings(self) -> AgentSettings:
        reason: Reason = "auto" if self.reason == "auto" else "always" if self.reason else "never"
        texts = self.persona, self.advice
        return AgentSettings(self.help, self.memory, self.memory_tokens, reason, *texts, self.belief, self.choices, self.policy)

    def facts(self) -> dict[str, object]:
        """The agent as a log's header has it, without key, headers and secrets in `extra`."""
        at: dict[str, object] = {} if self.local_path else {"base_url": self.base_url}
        model = {"model": self.model, **at, "parameters": without_named_secrets(self.parameters)}
        return {**model, "time_limit": self.time_limit, "max_tokens": self.max_tokens, **self.settings.to_json()}

    @property
    def parameters(self) -> dict[str, object]:
        given = self.model_dump(include=set(_PARAMETERS), exclude_none=True)
        return {**given, **self.extra}

    @field_validator("extra")
    @classmethod
    def _is_extra(cls, extra: dict[str, object]) -> dict[str, object]:
        if own := sorted(_OWN_FIELDS & extra.keys()):
            raise ValueError(f"{own[0]} is not to be set there: tabletop sets it, or an agent has a setting of this name")
        return extra

    @property
    def shown(self) -> dict[str, object]:
        """Its settings that are not the default, for people: without headers and secrets in `extra`."""
        hidden = {"headers", *(["base_url"] if self.is_offline else [])}
        given = self.model_dump(mode="json", exclude=hidden, exclude_defaults=True)
        return {**given, **({"extra": without_named_secrets(self.extra)} if self.extra else {})}


_TABLES: dict[str, type[BaseModel]] = {"reasoning": ReasoningEntry, "provider": ProviderEntry, "prices": PricesEntry}
"""The models of an agent's tables."""

_KINDS: dict[str, type[ProgramEntry] | type[FunctionEntry]] = {"program": ProgramEntry, "function": FunctionEntry}
"""What a table is, by the field that only it has; without one it is a model."""


@dataclass(frozen=True, slots=True)
class AgentsFile:
    """What `agents.toml` defines: the models, the programs and functions, the match defaults, and by table what is wrong with
    the others."""

    agents: Mapping[str, AgentEntry]
    programs: Mapping[str, ProgramEntry | FunctionEntry]
    defaults: MatchDefaults
    faults: Mapping[str, str]


def parse_agents(text: str) -> AgentsFile:
    """The content of `agents.toml`; a faulty table harms no other. AccountError for a text that is not TOML."""
    try:
        tables = read_toml(text)
    except ValueError as error:
        raise AccountError(f"{FILE} cannot be read: {error}.") from error
    agents, defaults, faults = dict[str, AgentEntry](), MatchDefaults(), dict[str, str]()
    programs: dict[str, ProgramEntry | FunctionEntry] = {}
    for name, table in tables.items():
        try:
            if name == TABLE_OF_DEFAULTS:
                defaults = MatchDefaults.of(table)
            elif isinstance(entry := _entry(name, table), AgentEntry):
                agents[name] = entry
            else:
                programs[name] = entry
        except TabletopError as error:
            faults[name] = str(error)
    return AgentsFile(agents, programs, defaults, faults)


def _entry(name: str, table: object) -> AgentEntry | ProgramEntry | FunctionEntry:
    if not isinstance(table, dict):
        raise AccountError(f"{FILE}: {name} has to be a table, [{name}], with a model, a program or a function.")
    if {":", "="} & {*name} or not isinstance(parse_spec(name), Named):
        raise AccountError(f"{FILE}: an agent cannot be called {quoted(name)}: that stands for something else already.")
    kind = next((kind for field, kind in _KINDS.items() if field in table), AgentEntry)
    try:
        return kind.model_validate(table)
    except ValidationError as error:
        why = without_password(first_problem(error, kind, _PATTERNS, **_TABLES))
        raise AccountError(f"{FILE}, agent {name}: {why}") from error
