"""Request fields: which part of a request is meant by a field's name, as any endpoint or the provider behind it calls it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from runner.json_types import JsonObject

FORM_FIELDS = ("tool_choice", "tools", "response_format")
TOKEN_FIELDS = ("max_tokens", "max_completion_tokens")
PINNED = {"provider", "plugins", "models", "route", "transforms", "store"}
"""Fields that pin providers or say how data may be used."""

KEPT = {"model", "messages", *PINNED, *FORM_FIELDS, *TOKEN_FIELDS}
"""Never left out: the question itself, and what is pinned."""


class Part(Enum):
    """A part of a request that can change without changing the question."""

    FORM = "form"
    BOUND = "bound"
    SYSTEM = "system"
    REASONING = "reasoning"
    MODEL = "model"


_FORM = {
    "tool_choice": {"tool_choice", "function_call", "tool_config", "function_calling_config", "function_calling_mode"},
    "tools": {"tools", "tool", "functions", "function", "function_declarations", "tool_calls"},
    "response_format": {
        *("response_format", "json_schema", "json_object", "structured_output", "structured_outputs", "output_format"),
        *("output_schema", "format", "response_schema", "response_json_schema", "response_mime_type", "guided_json"),
        *("guided_decoding", "grammar", "json_mode", "text_format", "response_mimetype", "output_config"),
    },
}
"""The fields of the form of the answer, and what providers behind OpenAI's format call them."""

_PARTS = {
    Part.BOUND: {
        *("max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens", "max_tokens_to_sample", "num_predict"),
        *("n_predict", "max_gen_len", "max_length", "max_token"),
    },
    Part.SYSTEM: {"system", "developer", "role", "system_instruction", "system_prompt", "developer_instruction", "preamble"},
    Part.REASONING: {
        *("reasoning", "reasoning_effort", "effort", "thinking", "thinking_config", "thinking_budget", "budget_tokens"),
        *("enable_thinking", "include_reasoning", "reasoning_format", "chat_template_kwargs", "think", "reasoning_budget"),
    },
    Part.MODEL: {"model", "model_id", "deployment"},
}
_SYNONYMS = {"stop_sequences": "stop", "random_seed": "seed", "p": "top_p", "k": "top_k"}
_SEPARATORS = re.compile(r"[^A-Za-z0-9_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
REASONING_FIELDS = frozenset(_PARTS[Part.REASONING])


def meant(place: str, asked: JsonObject) -> str | Part | None:
    """The part of the request at a place such as `body.temperature` or `messages[0].role`: a parameter that was sent, a form
    field, or a part; None for a place that is none of them."""
    names = [_CAMEL.sub("_", name).lower() for name in _SEPARATORS.split(place) if name]
    in_messages = names[:1] == ["messages"]
    return next((found for name in names if (found := _named(name, asked, in_messages)) is not None), None)


def _named(name: str, asked: JsonObject, in_messages: bool) -> str | Part | None:
    if in_messages:
        return Part.SYSTEM if name in _PARTS[Part.SYSTEM] else None
    name = _SYNONYMS.get(name, name)
    if name in asked and name not in KEPT:
        return name
    field = next((field for field, names in _FORM.items() if name in names), None)
    if field is not None:
        return form_field(asked, field)
    return next((part for part, names in _PARTS.items() if name in names), None)


def names_pinned(places: Iterable[str], words: str, asked: JsonObject) -> bool:
    """Whether places or quoted words name a pinned field that was sent."""
    named = {name for place in places for name in _SEPARATORS.split(place)}
    quoted = set(re.findall(r"['\"`](\w+)['\"`]", words))
    return bool((named | quoted) & PINNED & asked.keys())


def form_field(asked: JsonObject, wanted: str | None = None) -> str | None:
    """The field of this request that carries the form of the answer: the wanted one if it was sent; None for plain text."""
    sent = [name for name in FORM_FIELDS if name in asked]
    return wanted if wanted in sent else (sent[-1] if sent else None)


def optional_fields(asked: JsonObject) -> list[str]:
    """The fields of a request that may be left out."""
    return [name for name in asked if name not in KEPT]


def reasoning_fields(asked: JsonObject) -> frozenset[str]:
    """The fields of a request that steer how the model thinks."""
    return REASONING_FIELDS & set(optional_fields(asked))


def has_system(asked: JsonObject) -> bool:
    """Whether the request has a system message."""
    messages = asked.get("messages")
    listed = messages if isinstance(messages, list) else []
    return any(message.get("role") in ("system", "developer") for message in listed)
