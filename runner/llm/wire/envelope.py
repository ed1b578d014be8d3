"""Envelope: what a model said in the choices of a completion of any shape: text, tool calls, reasoning, or a refusal."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache

from runner.digest import JsonObject
from runner.llm.wire.error_object import mapping

_DEEPEST = 8
_MESSAGES = ("message", "delta", "messages", "output")
_TEXTS = ("content", "text", "output_text", "value", "parts", "json", "parsed")
"""The fields of messages, and those of their texts, in the order in which they count: the first one with something in it."""

_ARGUMENTS = ("arguments", "args", "parameters", "input")
_OTHERS = ("user", "system", "developer", "tool")
"""The roles of messages that no model wrote."""

_THOUGHT = re.compile(r"(?:redacted_)?(?:reason|think|thought)", re.IGNORECASE)
_CALL = re.compile(r".*(?:tool|function)_?(?:call|use)", re.IGNORECASE)
_SILENT = re.compile(
    r"(?:role|index|id|type|name|object|status|phase|signature|error|annotations|logprobs|matched_stop|.*finish_?reason"
    r"|stop_?reason|content_filter.*|.*specific_fields)\Z",
    re.IGNORECASE,
)
"""Fields that hold nothing of what a model says."""


@dataclass(slots=True)
class Speech:
    """What a model said. `calls` are the arguments of tool calls, `tools` their names. `has_place`: there is a field for an
    answer, perhaps an empty one. `unread`: the fields with something in them that is none of this."""

    texts: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    tools: set[str] = field(default_factory=set)
    thoughts: dict[str, None] = field(default_factory=dict)
    refusal: str = ""
    has_place: bool = False
    unread: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The answer: arguments before text. Several different calls stand one below the other, which the parser refuses."""
        return "\n".join(dict.fromkeys(filter(None, self.calls))) or "".join(self.texts)

    @property
    def reasoning(self) -> str:
        return "\n".join(self.thoughts)

    @property
    def weight(self) -> int:
        """How much it says: an answer by a call most, nothing at all least."""
        if any(map(str.strip, self.calls)):
            return 2
        return 1 if self.refusal or any(map(str.strip, self.texts)) else 0


def spoken(document: JsonObject) -> tuple[JsonObject, Speech]:
    """The choice of a completion in which the model answers, and what it says: by a call, else in text, else the first."""
    found = [(choice, heard(choice)) for choice in _choices(document.get("choices"))]
    return max(found, key=lambda one: one[1].weight, default=({}, Speech()))


def _choices(given: object) -> list[JsonObject]:
    """The choices by their index, also where they are an object or texts."""
    if isinstance(given, dict):
        inner = list(given.values())
        given = inner if inner and all(isinstance(choice, dict) for choice in inner) and not _places(given) else [given]
    if not isinstance(given, list):
        return []
    choices = [{"text": choice} if isinstance(choice, str) else mapping(choice) for choice in given]
    places = [place for choice in choices[1:] and choices if isinstance(place := choice.get("index"), int)]
    return [choices[places.index(place)] for place in sorted(places)] if len({*places}) == len(choices) else choices


def heard(choice: JsonObject) -> Speech:
    """What the model says in a choice."""
    speech = Speech()
    _hear(choice, speech, _DEEPEST)
    return speech


def _hear(value: object, speech: Speech, depth: int) -> None:
    """Take in a message or a part of one."""
    if isinstance(value, str):
        speech.texts.append(value)
    elif isinstance(value, list) and depth:
        for inner in value:
            _hear(inner, speech, depth - 1)
    elif isinstance(value, dict) and depth and value.get("role") not in _OTHERS:
        kind = str(value.get("type"))
        if _THOUGHT.match(kind):
            _think(value, speech, depth - 1)
        elif _CALL.match(kind) or value.get("arguments"):
            _call(value, speech, depth - 1)
        else:
            _hear_fields(value, speech, depth - 1)


def _hear_fields(message: JsonObject, speech: Speech, depth: int) -> None:
    for name in _places(message):
        speech.has_place |= name in _TEXTS
        before = len(speech.texts), len(speech.calls)
        (_hear if name in _MESSAGES else _hear_text)(message[name], speech, depth)
        if (len(speech.texts), len(speech.calls)) != before and speech.weight:
            break
    for name, value in message.items():
        match value and _meaning(name):
            case "refusal" if isinstance(value, str):
                speech.refusal = value
            case "thought":
                _think(value, speech, depth)
            case "call":
                _call(value, speech, depth)
            case "unread" if isinstance(value, (str, list, dict)):
                speech.unread.append(name)


def _places(message: JsonObject) -> list[str]:
    return [name for name in (*_MESSAGES, *_TEXTS) if name in message]


@lru_cache(1024)
def _meaning(name: str) -> str:
    """What a field of a message stands for; "" for one that was heard already or holds nothing that is said."""
    if name in _MESSAGES or name in _TEXTS or _SILENT.match(name):
        return ""
    if _THOUGHT.match(name):
        return "thought"
    return "call" if _CALL.match(name) else ("refusal" if "refusal" in name.lower() else "unread")


def _hear_text(value: object, speech: Speech, depth: int) -> None:
    """Take in a text: as it is, in parts, or as the object that it stands for."""
    if isinstance(value, list) and depth:
        for inner in value:
            _hear_text(inner, speech, depth - 1)
    elif isinstance(value, dict) and not _is_part(value):
        speech.texts.append(json.dumps(value, ensure_ascii=False))
    else:
        _hear(value, speech, depth)


def _is_part(value: JsonObject) -> bool:
    """Whether an object in the place of a text is a part of a message, and not the answer itself."""
    return isinstance(value.get("type"), str) or (bool(_places(value)) and not any(map(_meaning, value)))


def _call(value: object, speech: Speech, depth: int) -> None:
    """Take in tool calls: a list or one, flat or inside `function`, `custom`, or another field."""
    if isinstance(value, list):
        for inner in value if depth else ():
            _call(inner, speech, depth - 1)
    elif isinstance(value, str):
        speech.calls.append(value)
    elif isinstance(value, dict) and depth:
        given = next((name for name in _ARGUMENTS if name in value), None)
        inner = [part for part in value.values() if isinstance(part, dict)]
        if given is None and inner:
            _call(inner, speech, depth - 1)
            return
        arguments, name = value.get(given or ""), value.get("name")
        speech.calls.append(json.dumps(arguments) if isinstance(arguments, (dict, list)) else str(arguments or ""))
        speech.tools |= {re.split(r"[.:/]", name)[-1]} if isinstance(name, str) else set()


def _think(value: object, speech: Speech, depth: int) -> None:
    said = "".join(_thoughts(value, depth))
    if said.strip():
        speech.thoughts[said] = None


def _thoughts(value: object, depth: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and depth:
        return [said for inner in value for said in _thoughts(inner, depth - 1)]
    if isinstance(value, dict) and depth:
        names = ("text", "thinking", "reasoning", "content", "summary", "parts")
        return [said for name in names if name in value for said in _thoughts(value[name], depth - 1)]
    return []
