"""Streams: server-sent events (html.spec.whatwg.org, server-sent events) read as the whole reply that they add up to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from runner.digest import JsonObject
from runner.llm.strict_json import loose_json, without_surrogates
from runner.llm.wire.error_object import mapping

_LINE_END = re.compile(r"\r\n|\n|\r")
_END = "[DONE]"
_LISTS = ("choices", "tool_calls")
_OBJECTS = ("delta", "function", "custom", "function_call", "logprobs")
_NOTHING = (None, "", [], {})
_DEEPEST = 6
_TEXTS = ("content", "text", "reasoning", "reasoning_content", "thinking", "refusal", "name", "arguments", "input")
"""Fields that come in pieces, as texts or as lists."""


def whole_reply(text: str) -> tuple[JsonObject, bool] | None:
    """The completion that the events of a stream add up to, and whether the stream came to its end: with a finish reason or an
    error, and without a chunk that cannot be read. None for a text without events of a completion."""
    found = _Growing()
    for name, data in () if text.startswith("{") else _events(text.strip().lstrip("\ufeff")):
        if data.strip() == _END:
            break
        try:
            event = loose_json(data)
        except ValueError:
            event = data
            if data.lstrip().startswith("{"):
                return _completion(found), False
        if name == "error" and not mapping(event).get("error"):
            event = {"error": event}
        found.take(mapping(event))
    document = _completion(found)
    ends = [choice.get("finish_reason") for choice in document["choices"]]
    return (document, bool(document.get("error")) or not ends or any(ends)) if found else None


def _events(text: str) -> Iterator[tuple[str, str]]:
    """The name and the data of each event, also of a last one that no blank line ends."""
    name, data = "", list[str]()
    for line in (*_LINE_END.split(text), ""):
        part, _, value = line.partition(":")
        if part == "data":
            data.append(value.removeprefix(" "))
        elif part == "event":
            name = value.strip()
        elif not line:
            if any(data):
                yield name, "\n".join(data)
            name, data = "", []


class _Growing:
    """An object that chunks add to: texts in pieces, objects and lists by their parts, of all else the last value that is not
    empty."""

    def __init__(self) -> None:
        self._others: dict[str, Any] = {}
        self._texts: defaultdict[str, list[object]] = defaultdict(list)
        self._objects: defaultdict[str, _Growing] = defaultdict(_Growing)
        self._lists: defaultdict[str, defaultdict[int, _Growing]] = defaultdict(lambda: defaultdict(_Growing))

    def __bool__(self) -> bool:
        return any((self._others, self._texts, self._objects, self._lists))

    def take(self, chunk: JsonObject, depth: int = _DEEPEST) -> None:
        """Add what a chunk says. A name comes in pieces, or whole again and again."""
        for name, value in chunk.items():
            if name in _LISTS and depth:
                for index, one in _numbered(value):
                    self._lists[name][index].take(one, depth - 1)
            elif name in _OBJECTS and isinstance(value, Mapping) and depth:
                self._objects[name].take(value, depth - 1)
            elif name in _TEXTS and value is not None:
                if name != "name" or value not in self._texts[name]:
                    self._texts[name] += value if isinstance(value, list) else [value]
            elif value not in _NOTHING and name != "index":
                self._others[name] = value

    def whole(self) -> dict[str, Any]:
        """The object. A text with parts that are none is the list of all."""
        texts = {name: _joined(pieces) for name, pieces in self._texts.items()}
        objects = {name: one.whole() for name, one in self._objects.items()}
        lists = {name: [found[index].whole() for index in sorted(found)] for name, found in self._lists.items()}
        return self._others | texts | objects | lists


def _numbered(listed: object) -> Iterator[tuple[int, JsonObject]]:
    """The objects of a list, or the one alone, with their index, by default their place."""
    for place, one in enumerate(listed if isinstance(listed, list) else [listed]):
        if isinstance(one, dict):
            index = one.get("index")
            yield (index if isinstance(index, int) else place), one


def _joined(pieces: list[object]) -> object:
    texts = [piece for piece in pieces if isinstance(piece, str)]
    return without_surrogates("".join(texts)) if len(texts) == len(pieces) else pieces


def _completion(found: _Growing) -> dict[str, Any]:
    """What was found, in the shape of a reply that is no stream."""
    document = found.whole()
    for place, choice in enumerate(document.setdefault("choices", [])):
        choice["index"] = place
        if "delta" in choice:
            choice["message"] = {**mapping(choice.get("message")), **choice.pop("delta")}
    document["object"] = str(document.get("object") or "").removesuffix(".chunk")
    return document
