"""Wrappers around an answer: reasoning tags, channels, the envelope of a tool call."""

from __future__ import annotations

import re
from typing import Any

from runner.llm.strict_json import strict_value
from runner.llm.surrogates import without_surrogates

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad"
THOUGHT_BEGINS = rf"<(?:{_TAGS})(?:\s[^<>]{{0,200}})?>|\[THINK\]"
THOUGHT_ENDS = rf"</(?:{_TAGS})\s*>|\[/THINK\]"
"""Patterns of the tags around reasoning inside the text."""

_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>(.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
_CHANNEL_MARK = "<|channel|>"
_ENVELOPE = {"name", "arguments", "parameters", "id", "type", "function"}


def whole(text: str) -> str:
    """The text without a byte order mark and lone surrogates."""
    return without_surrogates(text).lstrip("\ufeff").strip()


def spoken(text: str) -> tuple[str, bool]:
    """The text of harmony's channels except analysis, and whether there are channels."""
    start, brace = text.find(_CHANNEL_MARK), text.find("{")
    if start < 0 or 0 <= brace < start:
        return text, False
    return "\n".join(part for channel, part in _CHANNEL.findall(text) if channel != "analysis"), True


def arguments_of(data: dict[str, object]) -> dict[str, object]:
    """The arguments of a tool call that is written as text, else the object itself."""
    inner = data.get("function") if isinstance(data.get("function"), dict) else data
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str) or not data.keys() <= _ENVELOPE:
        return data
    given = inner.get("arguments", inner.get("parameters"))
    if isinstance(given, str):
        given = strict_value(given)
    return given if isinstance(given, dict) else data


def clean(value: Any) -> Any:
    """The value with lone surrogates replaced in all its text."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return {without_surrogates(name): clean(inner) for name, inner in value.items()}
    return [clean(inner) for inner in value] if isinstance(value, list) else value
