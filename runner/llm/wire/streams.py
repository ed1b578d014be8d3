"""Streams: server-sent events (html.spec.whatwg.org, server-sent events) read as the whole reply that they add up to."""

import re
from collections.abc import Iterator
from typing import Any

from runner.digest import JsonObject
from runner.llm.strict_json import loose_json, mapping, without_surrogates

_LISTS = ("choices", "tool_calls")
_OBJECTS = ("delta", "function", "custom", "function_call", "logprobs")
_TEXTS = ("content", "text", "reasoning", "reasoning_content", "thinking", "refusal", "name", "arguments", "input")
"""Fields that grow by events: lists by the index of their objects, objects by their fields, texts by pieces."""

_DEEPEST = 6
_NOTHING: tuple[object, ...] = (None, "", [], {})


def whole_reply(text: str) -> tuple[JsonObject, bool] | None:
    """The completion that the events of a stream add up to, and whether the stream came to its end: with a finish reason or an
    error, and without a chunk that cannot be read. None for a text without events of a completion."""
    grown: dict[str, Any] = {}
    is_readable = True
    for name, data in () if text.startswith("{") else _events(text.strip().lstrip("\ufeff")):
        if data.strip() == "[DONE]" or not is_readable:
            break
        try:
            event = loose_json(data)
        except ValueError:
            event, is_readable = data, not data.lstrip().startswith("{")
        _grow(grown, {"error": event} if name == "error" and not mapping(event).get("error") else mapping(event))
    document = _settled(grown)
    for place, choice in enumerate(document.setdefault("choices", [])):
        choice |= {"index": place, "message": {**mapping(choice.get("message")), **choice.pop("delta", {})}}
    document["object"] = str(document.get("object", "")).removesuffix(".chunk")
    ends = [choice.get("finish_reason") for choice in document["choices"]]
    return (document, is_readable and (bool(document.get("error")) or not ends or any(ends))) if grown else None


def _events(text: str) -> Iterator[tuple[str, str]]:
    for block in re.sub(r"\r\n?", "\n", text).split("\n\n"):
        fields = [line.partition(":") for line in block.split("\n")]
        data = [value.removeprefix(" ") for name, _, value in fields if name == "data"]
        if any(data):
            yield next((value.strip() for name, _, value in fields if name == "event"), ""), "\n".join(data)


def _grow(whole: dict[str, Any], chunk: JsonObject, depth: int = _DEEPEST) -> None:
    """Add what a chunk says; of fields that do not grow the last value counts that is not empty."""
    for name, value in chunk.items() if depth else ():
        if name in _LISTS:
            rows = whole.setdefault(name, {})
            for place, row in enumerate(value if isinstance(value, list) else [value]):
                index = mapping(row).get("index")
                _grow(rows.setdefault(index if isinstance(index, int) else place, {}), mapping(row), depth - 1)
        elif name in _OBJECTS:
            _grow(whole.setdefault(name, {}), mapping(value), depth - 1)
        elif name in _TEXTS:
            is_known = name == "name" and value in whole.get(name, ())  # a name may come again and again
            if value is not None and not is_known:
                whole.setdefault(name, []).extend(value if isinstance(value, list) else [value])
        elif value not in _NOTHING and name != "index":
            whole[name] = value


def _settled(whole: dict[str, Any]) -> dict[str, Any]:
    """What has grown as a reply has it, without what stayed empty."""
    found = dict(whole)
    for name, value in whole.items():
        if name in _LISTS:
            found[name] = [row for _, grown in sorted(value.items()) if (row := _settled(grown))]
        elif name in _OBJECTS:
            found[name] = _settled(value)
        elif name in _TEXTS:
            is_text = all(isinstance(piece, str) for piece in value)
            found[name] = without_surrogates("".join(value)) if is_text else value
    return {name: value for name, value in found.items() if name not in _OBJECTS or value}
