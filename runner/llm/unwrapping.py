"""What models wrap around an answer: reasoning, channels, tags, the envelope of a tool call."""

from __future__ import annotations

import re
from typing import Any

from runner.llm.strict_json import strict_value

_THOUGHTS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad"
_BLOCK = re.compile(rf"<({_THOUGHTS})(?:\s[^<>]*)?>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_CLOSED_ONLY = re.compile(rf"\A.*</(?:{_THOUGHTS})\s*>", re.DOTALL | re.IGNORECASE)
_OPENED_ONLY = re.compile(rf"<(?:{_THOUGHTS})(?:\s[^<>]*)?>.*\Z", re.DOTALL | re.IGNORECASE)
_MISTRAL = re.compile(r"\[THINK\].*?\[/THINK\]", re.DOTALL)
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>(.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
_SPECIAL = re.compile(
    r"<\|[\w ]{1,40}\|>|\[TOOL_CALLS\]|</?(?:tool_call|function_call|answer|final|response|output|json)\s*>", re.IGNORECASE
)
_ENVELOPE = {"name", "arguments", "parameters", "id", "type", "function"}


def whole(text: str) -> str:
    """The text without a byte order mark, its lone surrogates replaced so that it can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.lstrip("\ufeff").strip()


def said(text: str) -> str:
    """The text without reasoning and without the tags of channels and tool calls (catalogue rows 41, 45)."""
    if "<|channel|>" in text:
        spoken = [part for channel, part in _CHANNEL.findall(text) if channel != "analysis"]
        text = "\n".join(spoken)
    text = _MISTRAL.sub("", _BLOCK.sub("", text))
    text = _OPENED_ONLY.sub("", _CLOSED_ONLY.sub("", text))
    return _SPECIAL.sub("\n", text)


def arguments_of(data: dict[str, Any]) -> dict[str, Any]:
    """The arguments when the object is the envelope of a tool call written as text (catalogue row 45), else the object."""
    inner = data.get("function") if isinstance(data.get("function"), dict) else data
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str) or not data.keys() <= _ENVELOPE:
        return data
    given = inner.get("arguments", inner.get("parameters"))
    if isinstance(given, str):
        given = strict_value(given)
    return given if isinstance(given, dict) else data
