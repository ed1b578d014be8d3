"""Offline model: an OpenAI-compatible endpoint in this process that answers by sampling the schema it is sent.

It is no language model and says so in every reply. The same request gets the same answer, whatever came before.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from runner.json_types import JsonObject
from runner.llm.offline_text import phrase
from runner.llm.schema_sampling import Schema, sampled, schema_in, spoilt
from runner.llm.tokens import estimated_tokens

OFFLINE_URL = "http://offline.invalid/v1"
"""The base URL of the offline model in the client's own process, without a socket."""

OFFLINE_NAME = "offline"
PROVIDER = "offline model (no language model)"

MISTAKES = ("illegal", "unreadable", "fenced", "truncated")
"""The mistakes, equally likely; a fenced answer is unusual but correct."""

BEHAVIOURS = (*MISTAKES, "empty", "refusing", "failing", "slow")
"""Models with one fixed behaviour: `offline/illegal`, `offline/failing`, ..."""

RATE = "mistakes="
"""The behaviour with a rate of mistakes: `offline/mistakes=0.3`."""

DELAY_HEADER = "x-offline-delay"
_SLOWNESS = "3600"
_SUPPORTED = ["max_tokens", "temperature", "top_p", "seed", "response_format", "structured_outputs", "tools", "tool_choice"]
_FREE = {"prompt": "0", "completion": "0", "request": "0"}


class OfflineAnswer(NamedTuple):
    """An HTTP response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def delay(self) -> float:
        """Seconds to wait before the response is sent."""
        return float(self.headers.get(DELAY_HEADER, 0))


class Completion(NamedTuple):
    """The text of the model, and why it ended."""

    text: str
    finish_reason: str = "stop"


@dataclass(frozen=True, slots=True)
class OfflineModel:
    """The model with its seed and its rate of mistakes, from 0 to 1."""

    seed: int = 0
    mistake_rate: float = 0.0

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> OfflineAnswer:
        """The response to a request; a pure function of the request and the model's settings."""
        route = path.split("?", 1)[0].rstrip("/")
        if method == "POST" and route.endswith("/chat/completions"):
            return self._completion(body)
        if method == "GET" and route.endswith("/models"):
            names = (OFFLINE_NAME, *(f"{OFFLINE_NAME}/{behaviour}" for behaviour in BEHAVIOURS))
            return _json(200, {"data": [_listed(name) for name in names]})
        if method == "GET" and route.endswith("/key"):
            return _json(200, {"data": {"label": PROVIDER, "limit": None, "limit_remaining": None, "usage": 0}})
        return _json(404, {"error": {"code": 404, "message": f"nothing at {method} {route[:100]}"}})

    def _completion(self, body: bytes) -> OfflineAnswer:
        try:
            asked = json.loads(body)
            texts = [_content(message["content"]) for message in asked["messages"]]
            name = str(asked.get("model", OFFLINE_NAME))
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return _json(400, {"error": {"code": 400, "message": "the request is no chat completion"}})
        digest = self._digest(asked)
        behaviour = name.partition("/")[2]
        if behaviour == "failing":
            return _json(503, {"error": {"code": 503, "message": "this model always fails"}})
        completion = self._answered(asked, texts, behaviour, random.Random(digest))
        headers = {DELAY_HEADER: _SLOWNESS} if behaviour == "slow" else {}
        return _json(200, _document(asked, name, completion, texts, f"gen-offline-{digest:016x}"), headers)

    def _digest(self, asked: object) -> int:
        canonical = json.dumps([self.seed, asked], sort_keys=True, separators=(",", ":"))
        return int.from_bytes(hashlib.sha256(canonical.encode()).digest()[:8], "big")

    def _answered(self, asked: JsonObject, texts: list[object], behaviour: str, chance: random.Random) -> Completion:
        schema = _schema(asked, texts)
        if schema is None:
            return Completion(phrase(chance))
        answer = sampled(schema, chance)
        rate = rate_of(behaviour)
        errs = chance.random() < (self.mistake_rate if rate is None else rate)
        mistake = behaviour if rate is None and behaviour else chance.choice(MISTAKES) if errs else ""
        return _with_mistake(answer if isinstance(answer, dict) else {}, schema, mistake, chance)


def _content(content: object) -> object:
    """The text of a message, joined if it comes in parts."""
    return "".join(str(part.get("text", "")) for part in content) if isinstance(content, list) else content


def rate_of(behaviour: str) -> float | None:
    """The rate of mistakes that a behaviour names, None if it names none."""
    try:
        rate = float(behaviour.removeprefix(RATE)) if behaviour.startswith(RATE) else -1.0
    except ValueError:
        return None
    return rate if 0 <= rate <= 1 else None


def _with_mistake(answer: dict[str, object], schema: Schema, mistake: str, chance: random.Random) -> Completion:
    text = json.dumps(answer, ensure_ascii=False)
    match mistake:
        case "illegal":
            return Completion(json.dumps(spoilt(answer, schema, chance), ensure_ascii=False))
        case "unreadable":
            return Completion(f"I would rather think about it. {phrase(chance)}")
        case "fenced":
            return Completion(f"Here is my answer:\n```json\n{text}\n```")
        case "truncated":
            return Completion(text[: max(1, len(text) * 2 // 3)], "length")
        case "empty":
            return Completion("")
        case "refusing":
            return Completion("I'm sorry, but I can't help with that.")
        case _:
            return Completion(text)


def _schema(asked: JsonObject, texts: list[object]) -> Schema | None:
    """The schema of the answer: strict, as a tool's parameters, or printed in the latest message that has one."""
    wanted = asked.get("response_format")
    if isinstance(wanted, dict) and isinstance(wanted.get("json_schema"), dict):
        return _mapping(wanted["json_schema"].get("schema"))
    if (function := _function(asked)) is not None:
        return _mapping(function.get("parameters"))
    printed = (schema_in(text) for text in reversed(texts) if isinstance(text, str))
    return next((schema for schema in printed if schema is not None), None)


def _function(asked: JsonObject) -> JsonObject | None:
    """The function of the first tool of a request."""
    tools = asked.get("tools")
    return _mapping(tools[0].get("function")) if isinstance(tools, list) and tools and isinstance(tools[0], dict) else None


def _mapping(value: object) -> Schema:
    return value if isinstance(value, dict) else {}


def _document(asked: JsonObject, name: str, completion: Completion, texts: list[object], generation: str) -> dict[str, object]:
    prompt = estimated_tokens(1 + sum(len(text) for text in texts if isinstance(text, str)))
    reply = estimated_tokens(1 + len(completion.text))
    return {
        "id": generation,
        "object": "chat.completion",
        "created": 0,
        "model": name,
        "provider": PROVIDER,
        "choices": [{"index": 0, "finish_reason": completion.finish_reason, "message": _message(asked, completion)}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply, "cost": 0},
    }


def _message(asked: JsonObject, completion: Completion) -> dict[str, object]:
    function = _function(asked)
    if function is None or not completion.text.startswith("{"):
        return {"role": "assistant", "content": completion.text}
    call = {"name": function.get("name"), "arguments": completion.text}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "call_0", "type": "function", "function": call}]}


def _listed(name: str) -> dict[str, object]:
    about = {"id": name, "name": PROVIDER, "context_length": 131_072, "pricing": _FREE}
    return {**about, "supported_parameters": _SUPPORTED, "top_provider": {"max_completion_tokens": 16_384}}


def _json(status: int, document: object, headers: Mapping[str, str] | None = None) -> OfflineAnswer:
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    return OfflineAnswer(status, {"content-type": "application/json", **(headers or {})}, body)
