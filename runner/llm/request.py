"""What is asked of a model: which model, with which parameters, in which form the answer is wanted, and the exact body sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any
from urllib.parse import urlsplit

from runner.llm.prices import Prices

Message = dict[str, str]
Body = dict[str, Any]

OPENROUTER = "https://openrouter.ai/api/v1"
ANSWER_NAME = "answer"
CACHE_MARK = "cache_control"
"""The field by which a message asks to be kept by the provider (openrouter.ai/docs, prompt caching)."""

_KEPT_BY_MARK = ("anthropic/",)
"""Vendors at OpenRouter that keep only what is marked; most others keep prompts by themselves."""

OPENROUTER_FIELDS = frozenset(
    {"provider", "plugins", "models", "route", "reasoning", "session_id", "usage", "trace", "verbosity", "transforms"}
)
"""Body fields only OpenRouter knows (openrouter.ai/docs, chat completion); others get them never."""


class AnswerForm(Enum):
    """The ways an answer can be asked for, best first: the rungs of the ladder."""

    STRICT_SCHEMA = "strict_schema"
    TOOL = "tool"
    JSON_OBJECT = "json_object"
    TEXT = "text"

    @property
    def next_rung(self) -> AnswerForm | None:
        """The next weaker form, None below TEXT."""
        rungs = list(AnswerForm)
        position = rungs.index(self) + 1
        return rungs[position] if position < len(rungs) else None

    @property
    def carries_schema(self) -> bool:
        """Whether the schema goes to the endpoint as data, so that the prompt need not print it."""
        return self in (AnswerForm.STRICT_SCHEMA, AnswerForm.TOOL)


@dataclass(frozen=True, slots=True)
class Model:
    """A model at an endpoint, and how it is to be called.

    `parameters` go into the request body (temperature, seed, reasoning, provider, ...); `headers` go beside it and are
    treated as secrets. `time_limit` is the whole time one attempt may take, in seconds. `max_tokens` bounds the reply.
    `form` fixes the form of the answer instead of choosing it. `rated` refuses a reply by another model or provider.
    `attempts` bounds how often one call is made, None: as the policy has it. `caches` is whether
    the first message, which stays the same all match long, is marked for the provider to keep; None: where that takes a mark.
    """

    name: str
    base_url: str
    key: str = field(repr=False)
    key_variable: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    time_limit: float = 120.0
    max_tokens: int = 4096
    form: AnswerForm | None = None
    prices: Prices | None = None
    rated: bool = False
    speaks_openrouter: bool | None = None
    most_in_flight: int = 1000
    attempts: int | None = None
    caches: bool | None = None

    @property
    def is_openrouter(self) -> bool:
        """Whether the endpoint takes OpenRouter's own fields: its host is openrouter.ai, unless said otherwise."""
        if self.speaks_openrouter is not None:
            return self.speaks_openrouter
        host = urlsplit(self.base_url).hostname or ""
        return host == "openrouter.ai" or host.endswith(".openrouter.ai")

    @property
    def marks_prompts(self) -> bool:
        """Whether what stays the same is marked to be kept; only OpenRouter passes such marks on."""
        return self.is_openrouter and (self.name.startswith(_KEPT_BY_MARK) if self.caches is None else self.caches)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Strings that may appear in no log, error or screen."""
        return tuple(secret for secret in (self.key, *self.headers.values()) if len(secret) > 5)


@dataclass(frozen=True, slots=True)
class Habits:
    """What an endpoint turned out to take for a model: learnt once, used for every later call, and recorded.

    `form` is the form in use, None for the one the request asks for. `left_out` names parameters it refused.
    `token_field` is its name for the bound on the reply when it insists on one, `max_tokens` its own value for it.
    `forces_tool` is False when it refused a forced tool choice.
    """

    form: AnswerForm | None = None
    left_out: frozenset[str] = frozenset()
    token_field: str | None = None
    max_tokens: int | None = None
    forces_tool: bool = True

    def to_json(self) -> dict[str, Any]:
        """The habits as data for a log."""
        return {
            "form": self.form.value if self.form else None,
            "left_out": sorted(self.left_out),
            "token_field": self.token_field,
            "max_tokens": self.max_tokens,
            "forces_tool": self.forces_tool,
        }


AS_ASKED = Habits()


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: the messages, the JSON Schema of an answer, and the form it is wanted in."""

    model: Model
    messages: tuple[Message, ...]
    schema: dict[str, Any]
    form: AnswerForm

    def body(self, habits: Habits = AS_ASKED) -> Body:
        """The exact JSON body sent to /chat/completions, for the wire and the log. It holds no secret."""
        form = habits.form or self.form
        parameters = _parameters(self.model, habits)
        body: Body = {"model": self.model.name, "messages": self._messages_in(form)}
        body.update(parameters)
        body.update(_form_fields(form, self.schema, habits.forces_tool))
        return body

    def in_form(self, form: AnswerForm) -> Request:
        """The same question with its answer wanted in another form."""
        return self if form is self.form else replace(self, form=form)

    def _messages_in(self, form: AnswerForm) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = [{name: sendable(text) for name, text in message.items()} for message in self.messages]
        if self.model.marks_prompts:
            messages[0][CACHE_MARK] = {"type": "ephemeral"}
        if self.form.carries_schema and not form.carries_schema:
            messages.append({"role": "user", "content": schema_in_words(self.schema)})
        return messages


def sendable(text: str) -> str:
    """The text without lone surrogates, which cannot be sent as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def on_the_wire(body: Body) -> Body:
    """The body with each marked message as the one text part that providers look for the mark in."""
    if not any(CACHE_MARK in message for message in body["messages"]):
        return body
    return {**body, "messages": [_marked(message) for message in body["messages"]]}


def _marked(message: Mapping[str, Any]) -> Mapping[str, Any]:
    if CACHE_MARK not in message:
        return message
    part = {"type": "text", "text": message["content"], CACHE_MARK: message[CACHE_MARK]}
    return {"role": message["role"], "content": [part]}


def left_out(model: Model, habits: Habits = AS_ASKED) -> tuple[str, ...]:
    """The names of the parameters set for a model that its endpoint gets in no form, sorted."""
    names = _unsent(model, habits)
    if _effort(model) is not None and "reasoning_effort" not in habits.left_out:
        names.discard("reasoning")
    return tuple(sorted(names))


def _unsent(model: Model, habits: Habits) -> set[str]:
    foreign = () if model.is_openrouter else OPENROUTER_FIELDS
    return {name for name in model.parameters if name in foreign or name in habits.left_out}


def _effort(model: Model) -> str | None:
    """How much a model shall think, where its endpoint takes that under OpenAI's name."""
    reasoning = model.parameters.get("reasoning")
    return reasoning.get("effort") if isinstance(reasoning, Mapping) and not model.is_openrouter else None


def token_bound(model: Model, habits: Habits = AS_ASKED) -> int:
    """How many tokens a reply may take at most, as sent."""
    wanted = int(model.parameters.get("max_completion_tokens") or model.parameters.get("max_tokens") or model.max_tokens)
    return wanted if habits.max_tokens is None else habits.max_tokens


def _parameters(model: Model, habits: Habits) -> Body:
    dropped = {*_unsent(model, habits), "max_tokens", "max_completion_tokens"}
    parameters = {name: value for name, value in model.parameters.items() if name not in dropped}
    parameters[_token_field(model, habits)] = token_bound(model, habits)
    if (effort := _effort(model)) is not None:
        parameters.setdefault("reasoning_effort", effort)
    if "reasoning_effort" in habits.left_out:
        parameters.pop("reasoning_effort", None)
    if model.rated and model.is_openrouter:
        parameters.update(_rated_fields(parameters))
    return parameters


def _token_field(model: Model, habits: Habits) -> str:
    usual = "max_completion_tokens" if "max_completion_tokens" in model.parameters else "max_tokens"
    return habits.token_field or usual


def _rated_fields(parameters: Body) -> Body:
    """Rated play: no other provider than the one routed to, and replies as the model gave them, unhealed."""
    provider = {**parameters.get("provider", {}), "allow_fallbacks": False}
    return {"provider": provider, "plugins": [{"id": "response-healing", "enabled": False}]}


def _form_fields(form: AnswerForm, schema: dict[str, Any], forces_tool: bool) -> Body:
    match form:
        case AnswerForm.STRICT_SCHEMA:
            strict = {"name": ANSWER_NAME, "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": strict}}
        case AnswerForm.TOOL:
            function = {"name": ANSWER_NAME, "description": "Give your answer.", "parameters": schema}
            chosen = {"type": "function", "function": {"name": ANSWER_NAME}} if forces_tool else "auto"
            return {"tools": [{"type": "function", "function": function}], "tool_choice": chosen}
        case AnswerForm.JSON_OBJECT:
            return {"response_format": {"type": "json_object"}}
        case AnswerForm.TEXT:
            return {}


def schema_in_words(schema: dict[str, Any]) -> str:
    """The schema as a message for a model that does not get it as data."""
    printed = json.dumps(schema, ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It has to fit this JSON Schema:\n```json\n{printed}\n```"
