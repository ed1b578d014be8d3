"""Agent entries: the tables of agents.toml: models with their endpoint and settings, programs and functions."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    field_serializer,
    field_validator,
    model_validator,
)

from games.core import quoted
from runner.agents.protocol import TIME_LIMIT
from runner.agents.settings import HIGH, HIGH_TOKENS, SeatSettings
from runner.llm.address import AddressError, parse_address, without_named_secrets
from runner.llm.budget import Prices
from runner.llm.offline import OFFLINE_NAME, OFFLINE_URL
from runner.llm.request import OPENROUTER, SAMPLING_PARAMETERS, AnswerForm, Model
from runner.local import LOCAL


def _is_json(table: dict[str, object]) -> dict[str, object]:
    for name, value in table.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(f"{name} is no JSON value; dates, times, NaN and infinity are none") from None
    return table


JsonTable = Annotated[dict[str, object], AfterValidator(_is_json)]
"""A table that goes into requests."""


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

    name: str | None = None
    time_limit: float = Field(default=TIME_LIMIT, gt=0, le=86_400)

    @property
    def shown(self) -> dict[str, object]:
        return self.model_dump(mode="json", exclude_defaults=True)


class ProgramEntry(OwnEntry):
    """A program: its command line, and the variables of .env or the environment that it gets although they hold a secret."""

    program: str = Field(min_length=1)
    environment: tuple[str, ...] = ()

    @field_validator("environment")
    @classmethod
    def _are_variables(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [name for name in names if not _VARIABLE.fullmatch(name)]:
            raise ValueError(f"{quoted(wrong[0])} is no name of a variable")
        return names


class FunctionEntry(OwnEntry):
    """A Python function: `MODULE:NAME`."""

    function: str = Field(pattern=r"^[^:\s]+:[^:\s]+$")


_PARAMETERS = SAMPLING_PARAMETERS | {"provider"}
_OWN_FIELDS = {
    *("model", "messages", "stream", "stream_options", "n", "response_format", "tools", "tool_choice", "max_tokens"),
    *("max_completion_tokens", *_PARAMETERS),
}
"""Fields of a request that `extra` cannot set."""

OF_FILE: Mapping[str, object] = {"time_limit": 900.0, "max_tokens": 1024}
"""The seconds for a call of a model file, and its longest reply in tokens, unless agents.toml says otherwise: processors are
slow, and the room for the reply of each slot takes memory."""

_LOCAL = {"context", "threads", "gpu_layers", "parallel"}
_NOT_LOCAL = {"base_url", "key", "prices", "provider", "openrouter", "headers", "cache"}
"""Settings of a model file's server, and of endpoints."""


class AgentEntry(SeatSettings):
    """One agent: the settings of its seats, its model and its endpoint. `name` is what people call it. `retries` bounds how
    often a failed call is repeated; `key` names the variable that holds the key; `extra` goes into every request unchanged;
    `openrouter` says that a server at another host takes OpenRouter's own fields; `system = "merge"` puts the system text into
    the first user message, for a model without a system role; `stream` asks for replies as streams; `context`, `threads`,
    `gpu_layers` and `parallel` are for the server of a `gguf:PATH` model.
    """

    model_config = TABLE

    model: str = Field(min_length=1)
    name: str | None = None
    base_url: str = Field(default=OPENROUTER, pattern=r"^https?://[^/\s]+")
    key: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
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
        model = str(table.get("model"))
        is_file, is_offline = model.startswith(LOCAL), "@" not in model and model.partition("/")[0] == OFFLINE_NAME
        if given := sorted((_NOT_LOCAL if is_file else _LOCAL) & table.keys()):
            raise ValueError(f"{given[0]} is {'no' if is_file else 'only a'} setting of a gguf:PATH model")
        if table.get("help") == "kaggle":
            if table.get("reasoning", HIGH) != HIGH:
                raise ValueError('help = "kaggle" sets reasoning = {effort = "high"}')
            table = {"max_tokens": HIGH_TOKENS, **table, "reasoning": HIGH}
        built_in = {"base_url": OFFLINE_URL} if is_offline else {}
        return {**(OF_FILE if is_file else built_in), **table}

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        try:
            return parse_address(url).full
        except AddressError as fault:
            raise ValueError(f"it {fault}") from None

    @property
    def is_offline(self) -> bool:
        return self.base_url == OFFLINE_URL

    @property
    def local_path(self) -> Path | None:
        """The model file that tabletop runs; None for a model at an endpoint."""
        return Path(self.model.removeprefix(LOCAL)) if self.model.startswith(LOCAL) else None

    def applied(self, model: Model) -> Model:
        """A model without a name, as this agent plays it."""
        prices = None if self.prices is None else Prices(self.prices.prompt / 1e6, self.prices.completion / 1e6)
        return replace(
            model,
            name=model.name or self.model,
            prices=prices or model.prices,
            headers=self.headers,
            speaks_openrouter=self.openrouter,
            caches=self.cache,
            parameters={**model.parameters, **self.parameters},
            time_limit=self.time_limit,
            max_tokens=self.max_tokens,
            form=self.form and AnswerForm(self.form),
            attempts=None if self.retries is None else self.retries + 1,
            merges_system=self.system == "merge",
            streams=self.stream,
        )

    @property
    def parameters(self) -> dict[str, object]:
        return {**self.model_dump(include=set(_PARAMETERS), exclude_none=True), **self.extra}

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
        given |= {"extra": without_named_secrets(self.extra)} if self.extra else {}
        return dict(sorted(given.items(), key=lambda one: one[0] in SeatSettings.model_fields))
