"""Request: a model, its parameters, the form of its answer, and the exact body that is sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import Any, NamedTuple, Protocol

from runner.digest import JsonObject
from runner.llm.address import is_within, named_secrets, secrets_of, without_named_secrets
from runner.llm.budget import Prices
from runner.llm.offline import OFFLINE_URL
from runner.llm.skin import PLAIN, Skin
from runner.llm.strict_json import without_surrogates


def field_names(schema: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(schema["properties"])


def without_values(schema: Mapping[str, Any], *parts: str) -> dict[str, Any]:
    """The schema without the legal values of its fields, and without other parts of them."""
    gone = {"enum", *parts}
    fields = {name: {part: field[part] for part in field if part not in gone} for name, field in schema["properties"].items()}
    return {**schema, "properties": fields}


def without_system(messages: Sequence[JsonObject]) -> list[dict[str, object]]:
    """The messages with the text of system messages in the first user message. Roles alternate, as such templates demand."""
    texts = [{**message, "role": "user"} for message in messages if message["role"] in ("system", "developer")]
    rest = [message for message in messages if message["role"] not in ("system", "developer")]
    first = next((place for place, message in enumerate(rest) if message["role"] == "user"), 0)
    return _alternating([*rest[:first], *texts, *rest[first:]])


def with_quoted_answers(messages: Iterable[JsonObject]) -> list[dict[str, object]]:
    """The messages with the model's earlier answers as quotations in those of the user."""
    return _alternating(
        {"role": "user", "content": f"Your answer was: {json.dumps(message['content'], ensure_ascii=False)}"}
        if message["role"] == "assistant"
        else message
        for message in messages
    )


def _alternating(messages: Iterable[JsonObject]) -> list[dict[str, object]]:
    groups = groupby(messages, lambda message: str(message["role"]))
    return [{"role": role, "content": "\n\n".join(str(one["content"]) for one in group)} for role, group in groups]


_PROMPT_MARGIN = 1.02
"""The size of a prompt is known from an earlier one only."""

SMALLEST_REPLY = 64
"""The smallest bound on a reply, in tokens. A prompt that leaves less room is too long."""


class Window(NamedTuple):
    """The context of a model in tokens, and the tokens of a character of its prompts, both as its endpoint counted them."""

    context: int
    tokens_a_character: float

    def left(self, characters: int) -> int:
        """The tokens left for a reply to a prompt of this many characters."""
        return max(self.context - int(characters * self.tokens_a_character * _PROMPT_MARGIN) - 1, SMALLEST_REPLY)


Message = dict[str, str]
Body = dict[str, Any]

OPENROUTER = "https://openrouter.ai/api/v1"
ANSWER_NAME = "answer"
SESSION_HEADER = "x-session-id"
"""OpenRouter's name for the body's `session_id`; a header leaves equal prompts equal."""

CACHE_MARK = "cache_control"
"""The field that asks the provider to cache a message (openrouter.ai/docs, prompt caching)."""

_CACHED_BY_MARK = ("anthropic/",)
"""Vendors at OpenRouter that cache marked messages only; most others cache without a mark."""

_SMALL_BOUND = 64
"""A bound on the reply below this may be below what an endpoint takes."""

_SCHEMA_FIRST = ("openai/", "anthropic/")
_SCHEMA_FIRST_HOSTS = ("api.openai.com", "api.anthropic.com")
"""Vendors and hosts that put the schema of the answer before the messages, so that every other schema loses the cached prompt
(platform.openai.com/docs, prompt caching; for Claude the schema is part of the cache's key). They get a schema without the
legal values and descriptions, which change with every decision; the question has those."""

OPENROUTER_FIELDS = frozenset(
    {"provider", "plugins", "models", "route", "reasoning", "session_id", "usage", "trace", "verbosity", "transforms"}
)
"""Body fields of OpenRouter (openrouter.ai/docs, chat completion), which no other endpoint is sent."""

MOST_LISTED = 20
"""The tokens whose log-probabilities are asked for: the most that OpenAI and vLLM give."""

_LABEL_FIELDS = {"logprobs": True, "top_logprobs": MOST_LISTED}
_LABEL_TOKENS = 16
"""Tokens of an object with one letter."""

_STREAM_FIELDS = {"stream": True, "stream_options": {"include_usage": True}}

SAMPLING_PARAMETERS = frozenset(
    {
        *("temperature", "top_p", "top_k", "top_a", "min_p", "seed", "stop", "frequency_penalty", "presence_penalty"),
        *("repetition_penalty", "reasoning"),
    }
)
"""Body fields that steer how a model samples and thinks."""


class AnswerForm(StrEnum):
    """The forms of an answer, strictest first."""

    STRICT_SCHEMA = "strict_schema"
    TOOL = "tool"
    JSON_OBJECT = "json_object"
    TEXT = "text"

    @property
    def weaker(self) -> AnswerForm | None:
        """The next weaker form, None after TEXT."""
        forms = list(AnswerForm)
        return next(iter(forms[forms.index(self) + 1 :]), None)

    @property
    def carries_schema(self) -> bool:
        """Whether the endpoint gets the schema as data. Otherwise the prompt prints it."""
        return self in (AnswerForm.STRICT_SCHEMA, AnswerForm.TOOL)


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """Where a running server listens, and the key that it asks for."""

    address: str
    key: str = field(repr=False)


class Connector(Protocol):
    """A server that tabletop runs itself, for one model."""

    async def start(self, prompt_tokens: int, reply_tokens: int, at_once: int) -> None:
        """Start the server, unless it runs, with room for these sizes of prompt and reply and this number of calls.
        AccountError when the model cannot be loaded."""

    def address(self) -> ServerAccess:
        """Where it listens. PausedError when it has ended or was never started."""

    def close(self) -> None:
        """End the server."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model at an endpoint, and the settings of its calls.

    `parameters` go into the request body (temperature, seed, reasoning, provider, ...); they and `headers` may hold secrets.
    `withheld` says why the key in `key_variable` is not sent to this endpoint, and what would have it sent. `time_limit` bounds
    one whole attempt, in seconds; `max_tokens` the reply; `attempts` those of one call, None: as the retry policy says. `form`
    fixes the form of the answer instead of negotiating it. `rated` refuses a reply by another model or provider. `caches` says
    whether messages that later prompts repeat carry a cache mark; None: for vendors that need one. `merges_system` puts the
    system text into the first user message. `streams` asks for replies as streams. `connector` leads to the server
    that tabletop runs for it. `is_base` is set for a model that continues texts and is not trained to answer.
    """

    name: str
    base_url: str
    key: str = field(repr=False)
    key_variable: str
    parameters: Mapping[str, Any] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    time_limit: float = 120.0
    max_tokens: int = 4096
    form: AnswerForm | None = None
    prices: Prices | None = None
    rated: bool = False
    speaks_openrouter: bool | None = None
    max_in_flight: int = 1000
    attempts: int | None = None
    caches: bool | None = None
    merges_system: bool = False
    streams: bool = False
    withheld: str = ""
    connector: Connector | None = None
    is_base: bool = False

    @property
    def is_openrouter(self) -> bool:
        """Whether the endpoint takes OpenRouter's own fields: its host is openrouter.ai, unless said otherwise."""
        if self.speaks_openrouter is not None:
            return self.speaks_openrouter
        return is_within(self.base_url, "openrouter.ai")

    @property
    def marks_cache(self) -> bool:
        """Whether messages carry cache marks. Only OpenRouter passes marks on."""
        return self.is_openrouter and (self.name.startswith(_CACHED_BY_MARK) if self.caches is None else self.caches)

    @property
    def reads_schema_first(self) -> bool:
        """Whether the provider is known to put the schema of the answer before the messages."""
        if is_within(self.base_url, "openrouter.ai"):
            return self.name.startswith(_SCHEMA_FIRST)
        return any(is_within(self.base_url, host) for host in _SCHEMA_FIRST_HOSTS)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Strings that no log, error or screen may show."""
        return secrets_of(self.key, self.headers, named_secrets(self.parameters))

    @property
    def why_no_key(self) -> str:
        """Why a call without a key was refused, for people."""
        return f"it needs a key; {self.withheld or f'{self.key_variable} is not set'}"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an endpoint accepts for a model, learnt from its refusals and kept for all later calls.

    `form` is the form in use, None for the one the request asks for; `best_form` the best one it has not refused by name.
    `rejected` names parameters that are left out. `token_field` is its name for the bound on the reply where it insists on one,
    `max_tokens` its highest value, `halved` whether that was guessed; `window` bounds prompt and reply together. `forced_tool`
    is False after it refused a forced tool choice. `quotes_answers`: it takes no earlier answers. `streams`: it only
    streams. `counts_few`: it counts far fewer tokens than were sent; `miscounts`: more than there can be. `reasons`: a reply
    brought reasoning of the model's own. `logprobs` is False after it refused log-probabilities or gave none.
    """

    form: AnswerForm | None = None
    best_form: AnswerForm | None = None
    rejected: frozenset[str] = frozenset()
    token_field: str | None = None
    max_tokens: int | None = None
    halved: bool = False
    window: Window | None = None
    forced_tool: bool = True
    merges_system: bool = False
    quotes_answers: bool = False
    streams: bool = False
    counts_few: bool = False
    miscounts: bool = False
    reasons: bool = False
    logprobs: bool = True


UNRESTRICTED = Capabilities()


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: the messages, the JSON Schema of the answer, and the wanted form. `repeated` is the index of the
    last message that the seat's next prompt repeats. `quotes_others`: the prompt holds text that other players wrote. `session`
    names the seat's requests to OpenRouter, which then keeps them at one provider, so that its cache stays warm. The body is in
    the words of `skin`; messages and schema here are in the game's. `is_label`: the answer is a letter alone, whose
    log-probabilities are wanted. `keeps_form`: a refusal without a reason changes nothing, as another prompt is tried first."""

    model: Model
    messages: tuple[Message, ...]
    schema: JsonObject
    form: AnswerForm
    repeated: int = 0
    quotes_others: bool = False
    session: str = ""
    skin: Skin = PLAIN
    is_label: bool = False
    keeps_form: bool = False

    @property
    def headers(self) -> Mapping[str, str]:
        is_named = self.session and self.model.is_openrouter and "session_id" not in self.model.parameters
        own = self.skin.header if self.model.base_url == OFFLINE_URL else {}
        return {**({SESSION_HEADER: self.session} if is_named else {}), **own, **self.model.headers}

    def characters(self, capabilities: Capabilities = UNRESTRICTED) -> int:
        """The characters of the prompt, with the schema where it is printed."""
        printed = schema_in_words(self.schema) if self._prints_schema(self.form_under(capabilities)) else ""
        return sum(len(message["content"]) for message in self.messages) + len(printed)

    def _prints_schema(self, form: AnswerForm) -> bool:
        return self.form.carries_schema and not form.carries_schema

    def form_under(self, capabilities: Capabilities) -> AnswerForm:
        """The form of the answer: as the agent fixes it, else the weaker of the request's own and the one that was learnt."""
        form = self.form
        if self.model.form is None and capabilities.form is not None:
            form = max(form, capabilities.form, key=list(AnswerForm).index)
        if self.is_label and form is not AnswerForm.STRICT_SCHEMA:  # the tokens of tools have no log-probabilities
            return AnswerForm.TEXT
        return form

    def merges_system(self, capabilities: Capabilities) -> bool:
        return self.model.merges_system or capabilities.merges_system

    def reply_limit(self, capabilities: Capabilities) -> int:
        """The maximum number of tokens of the reply, beside this prompt."""
        if self.is_label:
            return _LABEL_TOKENS
        limit = reply_limit(self.model, capabilities)
        return limit if capabilities.window is None else min(limit, capabilities.window.left(self.characters(capabilities)))

    def body(self, capabilities: Capabilities = UNRESTRICTED) -> Body:
        """The JSON body for /chat/completions; wire_body has it as sent, logged_body as logged."""
        form = self.form_under(capabilities)
        schema = without_values(self.schema, "description") if self.model.reads_schema_first else self.schema
        body = {
            "model": self.model.name,
            "messages": self._messages_in(form, capabilities),
            **_parameters(self.model, capabilities, self.reply_limit(capabilities)),
            **_form_fields(form, schema, capabilities.forced_tool),
            **(_LABEL_FIELDS if self.is_label else {}),
        }
        if self.model.streams or capabilities.streams:
            body |= {name: value for name, value in _STREAM_FIELDS.items() if name not in capabilities.rejected}
        return self.skin.body(body)

    def _messages_in(self, form: AnswerForm, capabilities: Capabilities) -> list[dict[str, object]]:
        messages: list[dict[str, object]] = [
            {name: without_surrogates(text) for name, text in message.items()} for message in self.messages
        ]
        merges_system, count = self.merges_system(capabilities), len(messages)
        if merges_system:
            messages = without_system(messages)
        if capabilities.quotes_answers:
            messages = with_quoted_answers(messages)
        last_repeated = max(0, self.repeated - (count - len(messages)))
        for place in {0, last_repeated} if self.model.marks_cache else ():
            messages[place][CACHE_MARK] = {"type": "ephemeral"}
        if self._prints_schema(form):
            printed: dict[str, object] = {"role": "user", "content": schema_in_words(self.schema)}
            messages[-1:] = without_system([messages[-1], printed]) if merges_system else [messages[-1], printed]
        return messages


def unsent_parameters(model: Model, capabilities: Capabilities = UNRESTRICTED) -> tuple[str, ...]:
    """The parameters set for a model that its endpoint is not sent in any form, sorted."""
    names = _unsent(model, capabilities)
    if _effort(model) is not None and "reasoning_effort" not in capabilities.rejected:
        names.discard("reasoning")
    return tuple(sorted(names))


def _unsent(model: Model, capabilities: Capabilities) -> set[str]:
    foreign = () if model.is_openrouter else OPENROUTER_FIELDS
    return {name for name in model.parameters if name in foreign or name in capabilities.rejected}


def _effort(model: Model) -> str | None:
    """The reasoning effort, for an endpoint that takes it under OpenAI's name."""
    reasoning = model.parameters.get("reasoning")
    return reasoning.get("effort") if isinstance(reasoning, Mapping) and not model.is_openrouter else None


def reply_limit(model: Model, capabilities: Capabilities = UNRESTRICTED) -> int:
    """The maximum number of tokens of a reply, as sent."""
    wanted = int(model.parameters.get("max_completion_tokens") or model.parameters.get("max_tokens") or model.max_tokens)
    if capabilities.max_tokens is None:
        return wanted
    return capabilities.max_tokens if wanted < _SMALL_BOUND else min(wanted, capabilities.max_tokens)


def _parameters(model: Model, capabilities: Capabilities, limit: int) -> Body:
    dropped = {*_unsent(model, capabilities), "max_tokens", "max_completion_tokens"}
    parameters = {name: value for name, value in model.parameters.items() if name not in dropped}
    usual = "max_completion_tokens" if "max_completion_tokens" in model.parameters else "max_tokens"
    parameters[capabilities.token_field or usual] = limit
    if (effort := _effort(model)) is not None:
        parameters.setdefault("reasoning_effort", effort)
    if "reasoning_effort" in capabilities.rejected:
        parameters.pop("reasoning_effort", None)
    if model.rated and model.is_openrouter:  # no fallback provider, and no repair of replies by OpenRouter
        parameters["provider"] = {**parameters.get("provider", {}), "allow_fallbacks": False}
        parameters["plugins"] = [{"id": "response-healing", "enabled": False}]
    return parameters


def _form_fields(form: AnswerForm, schema: JsonObject, forced_tool: bool) -> Body:
    match form:
        case AnswerForm.STRICT_SCHEMA:
            strict = {"name": ANSWER_NAME, "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": strict}}
        case AnswerForm.TOOL:
            function = {"name": ANSWER_NAME, "description": "Give your answer.", "parameters": schema}
            chosen = {"type": "function", "function": {"name": ANSWER_NAME}} if forced_tool else "auto"
            return {"tools": [{"type": "function", "function": function}], "tool_choice": chosen}
        case AnswerForm.JSON_OBJECT:
            return {"response_format": {"type": "json_object"}}
        case AnswerForm.TEXT:
            return {}


def schema_in_words(schema: JsonObject) -> str:
    """The schema as a message, for a model that does not get it as data."""
    printed = json.dumps(schema, ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It has to fit this JSON Schema:\n```json\n{printed}\n```"


def wire_body(body: Body) -> Body:
    """The body with each marked message as one text part, where providers look for the mark."""
    return {**body, "messages": [_marked(message) for message in body["messages"]]}


def _marked(message: JsonObject) -> JsonObject:
    if CACHE_MARK not in message:
        return message
    part = {"type": "text", "text": message["content"], CACHE_MARK: message[CACHE_MARK]}
    return {"role": message["role"], "content": [part]}


def logged_body(body: Body, parameters: Mapping[str, object]) -> Body:
    """The body without secrets among the model's parameters."""
    return {**body, **without_named_secrets({name: body[name] for name in parameters if name in body})}
