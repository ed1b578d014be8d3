"""What models wrap around an answer: reasoning, channels, the envelope of a tool call."""

from __future__ import annotations

import re
from typing import Any

from runner.llm.strict_json import strict_value

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad"
THOUGHT_BEGINS = rf"<(?:{_TAGS})(?:\s[^<>]{{0,200}})?>|\[THINK\]"
THOUGHT_ENDS = rf"</(?:{_TAGS})\s*>|\[/THINK\]"
"""The marks of reasoning inside the text, as patterns (catalogue row 41)."""

_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>(.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
_CHANNEL_MARK = "<|channel|>"
_ENVELOPE = {"name", "arguments", "parameters", "id", "type", "function"}


def whole(text: str) -> str:
    """The text without a byte order mark, its lone surrogates replaced so that it can be written as UTF-8."""
    return replaced(text).lstrip("\ufeff").strip()


def replaced(text: str) -> str:
    """The text with lone surrogates replaced (catalogue row 49)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def spoken(text: str) -> tuple[str, bool]:
    """What harmony's channels say apart from analysis, and whether the text came in channels at all."""
    start, brace = text.find(_CHANNEL_MARK), text.find("{")
    if start < 0 or 0 <= brace < start:
        return text, False
    return "\n".join(part for channel, part in _CHANNEL.findall(text) if channel != "analysis"), True


def arguments_of(data: dict[str, Any]) -> dict[str, Any]:
    """The arguments when the object is the envelope of a tool call written as text (catalogue row 45), else the object."""
    inner = data.get("function") if isinstance(data.get("function"), dict) else data
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str) or not data.keys() <= _ENVELOPE:
        return data
    given = inner.get("arguments", inner.get("parameters"))
    if isinstance(given, str):
        given = strict_value(given)
    return given if isinstance(given, dict) else data


def clean(value: Any) -> Any:
    """The value with lone surrogates replaced in all its text, which JSON escapes can bring in."""
    if isinstance(value, str):
        return replaced(value)
    if isinstance(value, dict):
        return {replaced(name): clean(inner) for name, inner in value.items()}
    return [clean(inner) for inner in value] if isinstance(value, list) else value
