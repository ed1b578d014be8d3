"""The message of a choice: text, tool arguments, reasoning and refusal, in all the shapes endpoints give them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runner.llm.request import ANSWER_NAME

_TEXT_PARTS = {"text", "output_text"}


@dataclass(frozen=True, slots=True)
class Message:
    """What the model said. Several different tool calls are put one below the other, for the reader to refuse."""

    text: str = ""
    reasoning: str | None = None
    refusal: str | None = None
    called_tool: bool = False
    unknown_tool: bool = False


def message_of(choice: Mapping[str, Any]) -> Message:
    """The message of a choice; tool arguments go before content (catalogue rows 44 and 46)."""
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return Message(text=whole(_text(choice.get("text"))))
    calls = _calls(message)
    arguments = list(dict.fromkeys(_arguments(call) for call in calls))
    content, thoughts = _text(message.get("content")), _reasoning(message)
    refusal = message.get("refusal")
    return Message(
        text=whole("\n".join(filter(None, arguments)) or content),
        reasoning=whole(thoughts) or None,
        refusal=whole(refusal) if isinstance(refusal, str) else None,
        called_tool=bool(calls),
        unknown_tool=any(call.get("name", ANSWER_NAME) != ANSWER_NAME for call in calls),
    )


def whole(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be written as UTF-8 (catalogue row 49)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return json.dumps(content)
    if isinstance(content, list):
        return "".join(_part(part) for part in content)
    return ""


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and part.get("type", "text") in _TEXT_PARTS and isinstance(part.get("text"), str):
        return str(part["text"])
    return ""


def _reasoning(message: Mapping[str, Any]) -> str:
    for name in ("reasoning", "reasoning_content", "thinking"):
        if isinstance(message.get(name), str):
            return str(message[name])
    return ""


def _calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    given = message.get("tool_calls")
    functions = [call.get("function") for call in given if isinstance(call, Mapping)] if isinstance(given, list) else []
    functions.append(message.get("function_call"))
    return [function for function in functions if isinstance(function, Mapping)]


def _arguments(call: Mapping[str, Any]) -> str:
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments) if isinstance(arguments, (dict, list)) else ""
