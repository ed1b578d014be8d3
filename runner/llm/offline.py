"""Offline model: an OpenAI-compatible endpoint in this process that answers by sampling the schema it is sent.

It is no language model and says so in every reply. The same request gets the same answer, whatever came before.
"""

import asyncio
import hashlib
import json
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from runner.digest import JsonObject
from runner.llm.budget import estimated_tokens
from runner.llm.model_list import GetResult
from runner.llm.skin import Skin
from runner.llm.strict_json import mapping

_PHRASES = files(__package__).joinpath("phrases.txt").read_text("utf-8")
_OPENINGS, _ENDINGS = (part.splitlines() for part in _PHRASES.split("\n\n"))
"""Beginnings and ends of sentences."""


def phrase(chance: random.Random) -> str:
    """One line, at most 75 characters long."""
    return f"{chance.choice(_OPENINGS)}, {chance.choice(_ENDINGS)}."


_Schema = Mapping[str, Any]
_SCHEMA_START = re.compile(r'\{\s*"(?:type|\$schema|title|properties)"\s*:')
_VALUE = r'(?:"(?:[^"\\\x00-\x1f]|\\["\\])*"|-?(?:0|[1-9]\d{0,9})\b)'
_NUMBERED = re.compile(r"(?<= )\(\d+\) ")
_GOES_WITH = re.compile(rf"\bwith (\w+) ({_VALUE}(?:, {_VALUE})*): ({_VALUE}(?:, {_VALUE})*)")
"""`with action "tax", "income": "none"` in a description: the values of this field that go with those of another."""

_DEPTH = 8

_SPOKEN: dict[str, Callable[[random.Random], str]] = {
    "reason": lambda chance: f"This is the offline model: it answers at random and weighs nothing. {phrase(chance)}",
    "say": lambda chance: phrase(chance) if chance.random() < 1 / 3 else "",
}
"""Texts of the fields that are the model's own and not the game's."""


def schema_in(text: str) -> _Schema | None:
    """The last JSON Schema of an object in a text, None if there is none."""
    decoder = json.JSONDecoder()
    found: _Schema | None = None
    position = 0
    while (start := _SCHEMA_START.search(text, position)) is not None:
        try:
            value, position = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            position = start.end()
            continue
        if isinstance(value, dict) and isinstance(value.get("properties"), dict):
            found = value
    return found


def sampled(schema: _Schema, chance: random.Random, depth: int = 0) -> object:
    """A value that fits the schema: enums evenly, numbers within their bounds, free text from a stock of lines."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return chance.choice(list(schema["enum"]))
    options = schema.get("anyOf") or schema.get("oneOf")
    if options and depth < _DEPTH:
        return sampled(chance.choice(list(options)), chance, depth + 1)
    kind = schema.get("type")
    match str(chance.choice(kind)) if isinstance(kind, list) else kind or ("object" if "properties" in schema else "string"):
        case "object":
            return _object(schema.get("properties", {}), chance, depth) if depth < _DEPTH else {}
        case "array":
            return _array(schema, chance, depth)
        case "integer":
            return chance.randint(*_bounds(schema))
        case "number":
            return round(chance.uniform(*_bounds(schema)), 2)
        case "boolean":
            return chance.random() < 0.5
        case "null":
            return None
        case _:
            return phrase(chance)[: schema.get("maxLength")]


def _object(fields: Mapping[str, _Schema], chance: random.Random, depth: int) -> dict[str, object]:
    """A value for each field; it goes with the values before it, where the field's description says which do."""
    found: dict[str, object] = {}
    for name, part in fields.items():
        fitting = fitting_values(part, found)
        spoken = _SPOKEN.get(name) if part.get("type") == "string" and "enum" not in part else None
        found[name] = spoken(chance) if spoken else chance.choice(fitting) if fitting else sampled(part, chance, depth + 1)
    return found


def fitting_values(field: _Schema, before: Mapping[str, object]) -> list[object]:
    """The values of an enum that go with the fields before it; none where the description does not say."""
    for name, heads, values in _GOES_WITH.findall(str(field.get("description", ""))):
        if name in before and before[name] in json.loads(f"[{heads}]"):
            return [value for value in json.loads(f"[{values}]") if value in field.get("enum", ())]
    return []


def _bounds(schema: _Schema) -> tuple[int, int]:
    lowest, usual = int(schema.get("minimum", 0)), 100 if "percentage" in str(schema.get("description", "")) else 10
    return lowest, max(lowest, int(schema.get("maximum", lowest + usual)))


def _array(schema: _Schema, chance: random.Random, depth: int) -> list[object]:
    least = int(schema.get("minItems", 0))
    count = chance.randint(least, max(least, int(schema.get("maxItems", least + 2))))
    items = schema.get("items") or {}
    if numbered := _NUMBERED.findall(str(schema.get("description", ""))):  # a whole percentage for each
        return [chance.randint(0, 100) for _ in numbered]
    if schema.get("uniqueItems") and items.get("enum"):
        return chance.sample(list(items["enum"]), min(count, len(items["enum"])))
    return [sampled(items, chance, depth + 1) for _ in range(count if depth < _DEPTH else least)]


def spoilt(answer: dict[str, object], schema: _Schema, chance: random.Random) -> dict[str, object]:
    """The answer with one illegal field: a value outside its enum, or blank text."""
    fields = schema.get("properties", {})
    closed = [name for name in answer if fields.get(name, {}).get("enum")]
    names = closed or [name for name in answer if name not in _SPOKEN]
    name = chance.choice(names) if names else "nothing"
    values = fields.get(name, {}).get("enum")
    if not values:
        return {**answer, name: " "}
    is_number = all(isinstance(value, int) for value in values)
    return {**answer, name: max(values) + 1 if is_number else f"not {values[0]}"}


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

_SLOWNESS = 3600.0
_MOST_LISTED = 20
_STREAMING = ("stream", "stream_options")
_LISTED = json.loads(files(__package__).joinpath("offline.json").read_text("utf-8"))
"""What its list of models says of each."""


class OfflineAnswer(NamedTuple):
    """An HTTP response with JSON, `delay` seconds after its request."""

    status: int
    body: bytes
    delay: float = 0.0


@dataclass(frozen=True, slots=True)
class OfflineModel:
    """The model with its seed and its rate of mistakes, 0 to 1; in this process it takes the place of EndpointClient."""

    seed: int = 0
    mistake_rate: float = 0.0

    async def send(self, body: JsonObject, headers: Mapping[str, str], time_limit: float) -> tuple[int, Mapping[str, str], str]:
        """Status, headers and text of the response, after its delay. TimeoutError when that is over the limit, in seconds."""
        answer = self.handle("POST", "/chat/completions", headers, json.dumps(body).encode())
        async with asyncio.timeout(time_limit):
            await asyncio.sleep(answer.delay)
        return answer.status, {"content-type": "application/json"}, answer.body.decode()

    async def get(self, path: str, _model: object) -> GetResult:
        answer = self.handle("GET", path, {}, b"")
        return GetResult(answer.body.decode(), answer.status)

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> OfflineAnswer:
        """The response to a request; a pure function of the request and the model's settings."""
        route = path.split("?", 1)[0].rstrip("/")
        if method == "POST" and route.endswith("/chat/completions"):
            return self._completion(body, Skin.of_header(headers))
        if method == "GET" and route.endswith("/models"):
            names = (OFFLINE_NAME, *(f"{OFFLINE_NAME}/{behaviour}" for behaviour in BEHAVIOURS))
            return _json(200, {"data": [{"id": name, **_LISTED} for name in names]})
        if method == "GET" and route.endswith("/key"):
            return _json(200, {"data": {"label": PROVIDER, "limit": None, "limit_remaining": None, "usage": 0}})
        return _json(404, {"error": {"code": 404, "message": f"nothing at {method} {route[:100]}"}})

    def _completion(self, body: bytes, skin: Skin) -> OfflineAnswer:
        try:
            asked = skin.body(json.loads(body))
            contents = [message["content"] for message in asked["messages"]]
            texts = ["".join(str(part.get("text", "")) for part in one) if isinstance(one, list) else one for one in contents]
            name = str(asked.get("model", OFFLINE_NAME))
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return _json(400, {"error": {"code": 400, "message": "the request is no chat completion"}})
        asked = {name: value for name, value in asked.items() if name not in _STREAMING}
        canonical = json.dumps([self.seed, asked], sort_keys=True, separators=(",", ":"))
        digest = int.from_bytes(hashlib.sha256(canonical.encode()).digest()[:8], "big")
        behaviour = name.partition("/")[2]
        if behaviour == "failing":
            return _json(503, {"error": {"code": 503, "message": "this model always fails"}})
        text, mistake = self._answered(asked, texts, behaviour, random.Random(digest))
        document = _document(asked, name, skin.text(text), mistake, texts, f"gen-offline-{digest:016x}")
        if asked.get("logprobs") is True and (tokens := _tokens(_schema(asked, texts), text)):
            chosen: Any = document["choices"]
            chosen[0]["logprobs"] = {"content": tokens}
        return _json(200, document, _SLOWNESS if behaviour == "slow" else 0.0)

    def _answered(self, asked: JsonObject, texts: list[object], behaviour: str, chance: random.Random) -> tuple[str, str]:
        """A text, and the mistake in it; "" without one."""
        schema = _schema(asked, texts)
        if schema is None:
            return phrase(chance), ""
        answer = sampled(schema, chance)
        if asked.get("logprobs") is True:  # its mistakes are those of answers
            return json.dumps(answer), ""
        rate = rate_of(behaviour)
        errs = chance.random() < (self.mistake_rate if rate is None else rate)
        mistake = behaviour if rate is None and behaviour else chance.choice(MISTAKES) if errs else ""
        return _with_mistake(answer if isinstance(answer, dict) else {}, schema, mistake, chance), mistake


def _tokens(schema: _Schema | None, text: str) -> list[JsonObject]:
    """The tokens of an answer with one closed field: its value is as probable as the others, as it is drawn at random."""
    values = [str(value) for field in (schema or {}).get("properties", {}).values() for value in field.get("enum", ())]
    start, mark, end = text.rpartition(': "')
    if not mark or end[:-2] not in values:
        return []
    even = [{"token": value, "logprob": -math.log(len(values))} for value in values[:_MOST_LISTED]]
    parts = {start + mark: [], end[:-2]: even, end[-2:]: []}
    return [
        {"token": part, "logprob": 0.0, "top_logprobs": likely or [{"token": part, "logprob": 0.0}]}
        for part, likely in parts.items()
    ]


def rate_of(behaviour: str) -> float | None:
    """The rate of mistakes that a behaviour names, None if it names none."""
    try:
        rate = float(behaviour.removeprefix(RATE)) if behaviour.startswith(RATE) else -1.0
    except ValueError:
        return None
    return rate if 0 <= rate <= 1 else None


def _with_mistake(answer: dict[str, object], schema: _Schema, mistake: str, chance: random.Random) -> str:
    text = json.dumps(answer, ensure_ascii=False)
    if mistake == "illegal":
        return json.dumps(spoilt(answer, schema, chance), ensure_ascii=False)
    if mistake == "unreadable":
        return f"I would rather think about it. {phrase(chance)}"
    texts = {
        "fenced": f"Here is my answer:\n```json\n{text}\n```",
        "truncated": text[: max(1, len(text) * 2 // 3)],
        "empty": "",
        "refusing": "I'm sorry, but I can't help with that.",
    }
    return texts.get(mistake, text)


def _schema(asked: JsonObject, texts: list[object]) -> _Schema | None:
    """The schema of the answer: strict, as a tool's parameters, or printed in the latest message that has one."""
    wanted = asked.get("response_format")
    if isinstance(wanted, dict) and isinstance(wanted.get("json_schema"), dict):
        return mapping(wanted["json_schema"].get("schema"))
    if (function := _function(asked)) is not None:
        return mapping(function.get("parameters"))
    printed = (schema_in(text) for text in reversed(texts) if isinstance(text, str))
    return next((schema for schema in printed if schema is not None), None)


def _function(asked: JsonObject) -> JsonObject | None:
    tools = asked.get("tools")
    return mapping(tools[0].get("function")) if isinstance(tools, list) and tools and isinstance(tools[0], dict) else None


def _document(asked: JsonObject, name: str, text: str, mistake: str, texts: list[object], generation: str) -> dict[str, object]:
    prompt = estimated_tokens(1 + sum(len(text) for text in texts if isinstance(text, str)))
    reply = estimated_tokens(1 + len(text))
    message: dict[str, object] = {"role": "assistant", "content": text}
    if (function := _function(asked)) is not None and text.startswith("{"):
        call = {"id": "call_0", "type": "function", "function": {"name": function.get("name"), "arguments": text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {
        "id": generation,
        "object": "chat.completion",
        "created": 0,
        "model": name,
        "provider": PROVIDER,
        "choices": [{"index": 0, "finish_reason": "length" if mistake == "truncated" else "stop", "message": message}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply, "cost": 0},
    }


def _json(status: int, document: object, delay: float = 0.0) -> OfflineAnswer:
    return OfflineAnswer(status, json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"), delay)


def stream_chunks(asked: JsonObject, document: Mapping[str, Any]) -> Iterator[JsonObject]:
    """A completion in the chunks of a stream: the role, the text word by word or the tool's arguments, the reason for its end;
    with `include_usage` in `stream_options` a last one with the usage."""
    choice: Any = document["choices"][0]
    message, reason = choice["message"], choice["finish_reason"]
    words = [{"content": word} for word in re.findall(r"\S*\s*", message["content"] or "") if word]
    calls = [{"tool_calls": [{"index": 0, **call}]} for call in message.get("tool_calls", ())]
    shared = {**document, "object": "chat.completion.chunk"}
    usage = shared.pop("usage")
    has_usage = mapping(asked.get("stream_options")).get("include_usage") is True
    nothing = {"usage": None} if has_usage else {}
    for delta in ({"role": message["role"], "content": ""}, *words, *calls, {}):
        end = None if delta else reason
        yield {**shared, "choices": [{"index": 0, "delta": delta, "finish_reason": end}], **nothing}
    if has_usage:
        yield {**shared, "choices": [], "usage": usage}


FAULTS = ("rate_limit", "server_error", "bad_gateway", "drip", "cut", "broken_json", "slow", "html")
"""429 with Retry-After, 500, a 502 inside a 200, endless blanks, a cut connection, half a body, a late answer, a web page."""

FINE = "fine"
"""In a script: no fault."""


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults: those of `script` first, one for each request, then `kinds` evenly at `rate` (0 to 1). `retry_after` is the
    wait of a rate limit and `slowness` the delay of a slow answer, in seconds."""

    rate: float = 0.0
    kinds: tuple[str, ...] = FAULTS
    script: tuple[str, ...] = ()
    retry_after: float = 1.0
    slowness: float = 30.0

    def __post_init__(self) -> None:
        unknown = sorted({*self.kinds, *self.script} - {*FAULTS, FINE})
        if unknown:
            raise ValueError(f'there is no fault "{unknown[0]}"; there are {", ".join((*FAULTS, FINE))}')
        if not 0 <= self.rate <= 1:
            raise ValueError(f"the rate of faults has to be from 0 to 1, not {self.rate:g}")

    def sequence(self, seed: int) -> Iterator[str]:
        chance = random.Random(seed)
        yield from self.script
        while True:
            yield chance.choice(self.kinds) if self.kinds and chance.random() < self.rate else FINE
