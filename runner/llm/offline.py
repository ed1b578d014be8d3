"""The offline model: an OpenAI-compatible endpoint in this process that plays by sampling the schema it is sent.

It is no language model and says so in every reply. The same request gets the same answer, whatever came before.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from runner.llm.offline_text import phrase
from runner.llm.schema_sampling import Schema, sampled, schema_in, spoilt

OFFLINE_URL = "http://offline.invalid/v1"
"""The base URL under which the client asks the offline model in its own process, without a socket."""

OFFLINE_NAME = "offline"
PROVIDER = "offline model (no language model)"

MISTAKES = ("illegal", "unreadable", "fenced", "truncated")
"""What goes wrong at the mistake rate, evenly; a fenced answer is unusual but good."""

HABITS = (*MISTAKES, "empty", "refusing", "failing", "slow")
"""Models that always do one thing: `offline/illegal`, `offline/failing`, ..."""

RATE = "mistakes="
"""A habit of erring at a rate of one's own: `offline/mistakes=0.3`."""

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
        """Seconds the response is to be kept back."""
        return float(self.headers.get(DELAY_HEADER, 0))


class Said(NamedTuple):
    """What the model says, and why it stopped."""

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
            return _json(200, {"data": [_listed(OFFLINE_NAME), *(_listed(f"{OFFLINE_NAME}/{habit}") for habit in HABITS)]})
        if method == "GET" and route.endswith("/key"):
            return _json(200, {"data": {"label": PROVIDER, "limit": None, "limit_remaining": None, "usage": 0}})
        return _json(404, {"error": {"code": 404, "message": f"nothing at {method} {route[:100]}"}})

    def _completion(self, body: bytes) -> OfflineAnswer:
        try:
            asked = json.loads(body)
            texts = [_said_in(message["content"]) for message in asked["messages"]]
            name = str(asked.get("model", OFFLINE_NAME))
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return _json(400, {"error": {"code": 400, "message": "the request is no chat completion"}})
        digest = self._digest(asked)
        habit = name.partition("/")[2]
        if habit == "failing":
            return _json(503, {"error": {"code": 503, "message": "this model always fails"}})
        said = self._said(asked, texts, habit, random.Random(digest))
        headers = {DELAY_HEADER: _SLOWNESS} if habit == "slow" else {}
        return _json(200, _completed(asked, name, said, texts, f"gen-offline-{digest:016x}"), headers)

    def _digest(self, asked: Any) -> int:
        canonical = json.dumps([self.seed, asked], sort_keys=True, separators=(",", ":"))
        return int.from_bytes(hashlib.sha256(canonical.encode()).digest()[:8], "big")

    def _said(self, asked: Mapping[str, Any], texts: list[Any], habit: str, chance: random.Random) -> Said:
        schema = _schema(asked, texts)
        if schema is None:
            return Said(phrase(chance))
        answer = sampled(schema, chance)
        rate = rate_of(habit)
        errs = chance.random() < (self.mistake_rate if rate is None else rate)
        mistake = habit if rate is None and habit else chance.choice(MISTAKES) if errs else ""
        return _told(answer if isinstance(answer, dict) else {}, schema, mistake, chance)


def _said_in(content: Any) -> Any:
    """The text of a message, of all its parts where it comes in parts."""
    return "".join(str(part.get("text", "")) for part in content) if isinstance(content, list) else content


def rate_of(habit: str) -> float | None:
    """The rate of mistakes that a habit names, None when it names none."""
    try:
        rate = float(habit.removeprefix(RATE)) if habit.startswith(RATE) else -1.0
    except ValueError:
        return None
    return rate if 0 <= rate <= 1 else None


def _told(answer: dict[str, Any], schema: Schema, mistake: str, chance: random.Random) -> Said:
    text = json.dumps(answer, ensure_ascii=False)
    match mistake:
        case "illegal":
            return Said(json.dumps(spoilt(answer, schema, chance), ensure_ascii=False))
        case "unreadable":
            return Said(f"I would rather think about it. {phrase(chance)}")
        case "fenced":
            return Said(f"Here is my answer:\n```json\n{text}\n```")
        case "truncated":
            return Said(text[: max(1, len(text) * 2 // 3)], "length")
        case "empty":
            return Said("")
        case "refusing":
            return Said("I'm sorry, but I can't help with that.")
        case _:
            return Said(text)


def _schema(asked: Mapping[str, Any], texts: list[Any]) -> Schema | None:
    """The schema of the answer: strict, as a tool's parameters, or printed in the latest message that has one."""
    wanted = asked.get("response_format")
    if isinstance(wanted, dict) and isinstance(wanted.get("json_schema"), dict):
        return _mapping(wanted["json_schema"].get("schema"))
    tools = asked.get("tools")
    if isinstance(tools, list) and tools and isinstance(tools[0], dict):
        return _mapping(_mapping(tools[0].get("function")).get("parameters"))
    printed = (schema_in(text) for text in reversed(texts) if isinstance(text, str))
    return next((schema for schema in printed if schema is not None), None)


def _mapping(value: object) -> Schema:
    return value if isinstance(value, dict) else {}


def _completed(asked: Mapping[str, Any], name: str, said: Said, texts: list[Any], generation: str) -> dict[str, Any]:
    prompt = sum(len(text) for text in texts if isinstance(text, str)) // 4 + 1
    reply = len(said.text) // 4 + 1
    return {
        "id": generation,
        "object": "chat.completion",
        "created": 0,
        "model": name,
        "provider": PROVIDER,
        "choices": [{"index": 0, "finish_reason": said.finish_reason, "message": _message(asked, said)}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply, "cost": 0},
    }


def _message(asked: Mapping[str, Any], said: Said) -> dict[str, Any]:
    tools = asked.get("tools")
    if not tools or not said.text.startswith("{"):
        return {"role": "assistant", "content": said.text}
    call = {"name": tools[0]["function"].get("name"), "arguments": said.text}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "call_0", "type": "function", "function": call}]}


def _listed(name: str) -> dict[str, Any]:
    about = {"id": name, "name": PROVIDER, "context_length": 131_072, "pricing": _FREE}
    return {**about, "supported_parameters": _SUPPORTED, "top_provider": {"max_completion_tokens": 16_384}}


def _json(status: int, document: Any, headers: Mapping[str, str] | None = None) -> OfflineAnswer:
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    return OfflineAnswer(status, {"content-type": "application/json", **(headers or {})}, body)
