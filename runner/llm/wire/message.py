"""The message of a choice: text, tool arguments, reasoning and refusal, in every shape that endpoints send."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from runner.json_types import JsonObject
from runner.llm.parse_answer import LARGEST
from runner.llm.request import ANSWER_NAME
from runner.llm.surrogates import without_surrogates

_TEXT_PARTS = {"text", "output_text"}


@dataclass(frozen=True, slots=True)
class ReplyMessage:
    """The message of a model. Several different tool calls stand one below the other, which the parser refuses.

    `text` and `reasoning` are cut to the length that is kept, `length` is the whole text's, in characters.
    """

    text: str = ""
    length: int = 0
    reasoning: str | None = None
    refusal: str | None = None
    called_tool: bool = False
    unknown_tool: bool = False


def message_of(choice: JsonObject) -> ReplyMessage:
    """The message of a choice. Tool arguments go before content, text parts are joined, reasoning is kept apart."""
    message = choice.get("message")
    if not isinstance(message, Mapping):
        text = _text(choice.get("text"))
        return ReplyMessage(_kept(text), len(text))
    calls = _calls(message)
    arguments = list(dict.fromkeys(_arguments(call) for call in calls))
    content, thoughts = _text(message.get("content")), _reasoning(message)
    refusal = message.get("refusal")
    text = "\n".join(filter(None, arguments)) or content
    return ReplyMessage(
        text=_kept(text),
        length=len(text),
        reasoning=_kept(thoughts) or None,
        refusal=_kept(refusal) if isinstance(refusal, str) else None,
        called_tool=bool(calls),
        unknown_tool=any(call.get("name", ANSWER_NAME) != ANSWER_NAME for call in calls),
    )


def _kept(text: str) -> str:
    return without_surrogates(text[:LARGEST])


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


def _reasoning(message: JsonObject) -> str:
    for name in ("reasoning", "reasoning_content", "thinking"):
        if isinstance(message.get(name), str):
            return str(message[name])
    return ""


def _calls(message: JsonObject) -> list[JsonObject]:
    given = message.get("tool_calls")
    functions = [call.get("function") for call in given if isinstance(call, Mapping)] if isinstance(given, list) else []
    functions.append(message.get("function_call"))
    return [function for function in functions if isinstance(function, Mapping)]


def _arguments(call: JsonObject) -> str:
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments) if isinstance(arguments, (dict, list)) else ""
