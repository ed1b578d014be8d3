"""Envelope: what a model said in the choices of a completion of any shape: text, tool calls, reasoning, or a refusal. A stream
counts as the reply that its server-sent events (html.spec.whatwg.org, server-sent events) add up to."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from runner.digest import JsonObject
from runner.llm.strict_json import loose_json, mapping, number, without_surrogates

_DEEPEST = 8
_MESSAGES = ("message", "delta", "messages", "output")
_TEXTS = ("content", "text", "output_text", "value", "parts", "json", "parsed")
"""The fields of choices, and those of messages and their parts, in the order in which they count."""

_ARGUMENTS = ("arguments", "args", "parameters", "input")
_OTHERS = ("user", "system", "developer", "tool")
"""The roles of messages that no model wrote."""

_MEANINGS = {
    "silent": (
        "role|index|id|type|name|object|status|phase|signature|error|annotations|logprobs|matched_stop|.*finish_?reason"
        rf"|stop_?reason|content_filter.*|.*specific_fields|{'|'.join((*_MESSAGES, *_TEXTS))}"
    ),
    "thought": r"(?:redacted_)?(?:reason|think|thought).*",
    "call": r".*(?:tool|function)_?(?:call|use).*",
    "refusal": r".*refusal",
}
"""What a field holds by its name, the first that fits. A silent one was heard already, or nothing is said in it."""


@dataclass(slots=True)
class Speech:
    """What a model said. `calls` are the arguments of tool calls, `tools` their names. `has_place`: there is a field for an
    answer, perhaps an empty one. `unread`: the fields with something in them that is none of this."""

    texts: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    tools: set[str] = field(default_factory=set)
    thoughts: list[str] = field(default_factory=list)
    refusal: str = ""
    has_place: bool = False
    unread: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The answer: arguments before text. Several different calls stand one below the other, which the parser refuses."""
        return "\n".join(dict.fromkeys(filter(None, self.calls))) or "".join(self.texts)

    @property
    def reasoning(self) -> str:
        return "\n".join(dict.fromkeys(filter(str.strip, self.thoughts)))

    @property
    def weight(self) -> int:
        """How much it says: an answer by a call most, nothing at all least."""
        if any(map(str.strip, self.calls)):
            return 2
        return 1 if self.refusal or any(map(str.strip, self.texts)) else 0


def spoken(document: JsonObject) -> tuple[JsonObject, Speech]:
    """The choice of a completion in which the model answers, and what it says: by a call, else in text, else the first."""
    given = document.get("choices")
    choices = [mapping(choice) for choice in (given if isinstance(given, list) else [given])]
    if None not in (places := [number(choice.get("index")) for choice in choices]):
        choices = [choice for _, choice in sorted(zip(places, choices, strict=True), key=lambda one: one[0] or 0)]
    found = [(choice, Speech()) for choice in choices]
    for choice, speech in found:
        _hear(choice, speech)
    return max(found, key=lambda one: one[1].weight, default=({}, Speech()))


def _hear(value: object, speech: Speech, depth: int = _DEEPEST, is_text: bool = False) -> None:
    """Take in a message or a part of one. In the place of a text an object may be the answer itself."""
    if isinstance(value, str):
        speech.texts.append(value)
    elif isinstance(value, list) and depth:
        for inner in value:
            _hear(inner, speech, depth - 1, is_text)
    elif isinstance(value, dict) and depth and value.get("role") not in _OTHERS:
        kind = _meaning(str(value.get("type"))) if value.get("type") else ""
        if kind == "thought":
            speech.thoughts.append(_thought(value, depth - 1))
        elif kind == "call" or value.get("arguments"):
            _call(value, speech, depth - 1)
        elif is_text and not (kind or (value.keys() & _TEXTS and all(_meaning(name) == "silent" for name in value))):
            speech.texts.append(json.dumps(value, ensure_ascii=False))
        else:
            _hear_fields(value, speech, depth - 1)


def _hear_fields(message: dict[str, Any], speech: Speech, depth: int) -> None:
    for name in (name for name in (*_MESSAGES, *_TEXTS) if name in message):
        speech.has_place |= name in _TEXTS
        before = len(speech.texts), len(speech.calls)
        _hear(message[name], speech, depth, name in _TEXTS)
        if (len(speech.texts), len(speech.calls)) != before and speech.weight:
            break
    for name, value in message.items():
        match value and _meaning(name):
            case "refusal" if isinstance(value, str):
                speech.refusal = value
            case "thought":
                speech.thoughts.append(_thought(value, depth))
            case "call":
                _call(value, speech, depth)
            case "unread" if isinstance(value, (str, list, dict)):
                speech.unread.append(name)


@lru_cache(1024)
def _meaning(name: str) -> str:
    found = (meaning for meaning, names in _MEANINGS.items() if re.fullmatch(names, name, re.IGNORECASE | re.DOTALL))
    return next(found, "unread")


def _call(value: Any, speech: Speech, depth: int) -> None:
    """Take in tool calls: a list or one, flat or inside `function`, `custom`, or another field."""
    if isinstance(value, dict):
        given = next((name for name in _ARGUMENTS if name in value), "")
        inner = [part for part in value.values() if isinstance(part, dict)]
        if given or not inner:
            arguments, name = value.get(given), value.get("name")
            speech.calls.append(json.dumps(arguments) if isinstance(arguments, (dict, list)) else str(arguments or ""))
            speech.tools |= {re.split(r"[.:/]", name)[-1]} if isinstance(name, str) else set()
            return
        value = inner
    for inner in value if isinstance(value, list) and depth else ():
        _call(inner, speech, depth - 1)


def _thought(value: Any, depth: int) -> str:
    if isinstance(value, dict):
        value = [value[name] for name in ("text", "thinking", "reasoning", "content", "summary", "parts") if name in value]
    if isinstance(value, list) and depth:
        return "".join(_thought(inner, depth - 1) for inner in value)
    return value if isinstance(value, str) else ""


_GROWING_LISTS = ("choices", "tool_calls")
_GROWING_OBJECTS = ("delta", "function", "custom", "function_call", "logprobs")
_GROWING_TEXTS = ("content", "text", "reasoning", "reasoning_content", "thinking", "refusal", "name", "arguments", "input")
"""Fields that grow by events: lists by the index of their objects, objects by their fields, texts by pieces."""

_DEEPEST_EVENT = 6
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


def _grow(whole: dict[str, Any], chunk: JsonObject, depth: int = _DEEPEST_EVENT) -> None:
    """Add what a chunk says; of fields that do not grow the last value counts that is not empty."""
    for name, value in chunk.items() if depth else ():
        if name in _GROWING_LISTS:
            rows = whole.setdefault(name, {})
            for place, row in enumerate(value if isinstance(value, list) else [value]):
                index = mapping(row).get("index")
                _grow(rows.setdefault(index if isinstance(index, int) else place, {}), mapping(row), depth - 1)
        elif name in _GROWING_OBJECTS:
            _grow(whole.setdefault(name, {}), mapping(value), depth - 1)
        elif name in _GROWING_TEXTS:
            is_known = name == "name" and value in whole.get(name, ())  # a name may come again and again
            if value is not None and not is_known:
                whole.setdefault(name, []).extend(value if isinstance(value, list) else [value])
        elif value not in _NOTHING and name != "index":
            whole[name] = value


def _settled(whole: dict[str, Any]) -> dict[str, Any]:
    """What has grown as a reply has it, without what stayed empty."""
    found = dict(whole)
    for name, value in whole.items():
        if name in _GROWING_LISTS:
            found[name] = [row for _, grown in sorted(value.items()) if (row := _settled(grown))]
        elif name in _GROWING_OBJECTS:
            found[name] = _settled(value)
        elif name in _GROWING_TEXTS:
            is_text = all(isinstance(piece, str) for piece in value)
            found[name] = without_surrogates("".join(value)) if is_text else value
    return {name: value for name, value in found.items() if name not in _GROWING_OBJECTS or value}
