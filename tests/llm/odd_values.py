"""Replies of endpoints with fields of wrong types, missing, nested, huge, twice or unsendable, drawn from a seed."""

from __future__ import annotations

import copy
import json
import random
from typing import Any, NamedTuple

RAW = {
    "@deep@": "[" * 5000 + "]" * 5000,
    "@deep object@": '{"a":' * 3000 + "1" + "}" * 3000,
    "@digits@": "9" * 5000,
    "@infinite@": "1e999",
    "@surrogate@": '"\\ud800"',
    "@twice@": '{"a": 1, "a": [2]}',
}
"""Placeholders for JSON that Python's encoder does not write."""

ODD: list[Any] = [
    *(None, True, False, 0, -1, 7, 1.5, -0.0, 10**400, -(10**400), 2**63, float("nan"), float("inf"), float("-inf")),
    *(
        "",
        " ",
        "x",
        "NaN",
        "Infinity",
        "1e999",
        "-1",
        "0.5",
        "9" * 400,
        "stop",
        "STOP",
        "eos_token",
        "length",
        "error",
        "\x00\x1b[31m",
    ),
    *("é" * 300, "2099-01-01T00:00:00Z", "9999999999999999-01-01", "x" * 70_000),
    *([], {}, [[]], [None], [{}], ["stop"], {"a": {}}, {"text": 1}, {"error": []}, {"code": {}}, [1, "x", {}, []], *RAW),
]

REPLY: dict[str, Any] = {
    "id": "gen-1",
    "object": "chat.completion",
    "created": 1,
    "model": "vendor/model",
    "provider": "Acme",
    "system_fingerprint": "f",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "native_finish_reason": "STOP",
            "logprobs": None,
            "message": {
                "role": "assistant",
                "content": "@answer@",
                "refusal": None,
                "reasoning": "Because.",
                "reasoning_details": [{"type": "reasoning.text", "text": "Because."}],
            },
        }
    ],
    "usage": {
        "prompt_tokens": 300,
        "completion_tokens": 12,
        "total_tokens": 312,
        "cost": 0.25,
        "is_byok": False,
        "prompt_tokens_details": {"cached_tokens": 10},
        "completion_tokens_details": {"reasoning_tokens": 3},
        "cost_details": {"upstream_inference_cost": 0.125},
    },
}

CALL: dict[str, Any] = {"id": "c1", "type": "function", "function": {"name": "answer", "arguments": "@answer@"}}

ERROR: dict[str, Any] = {
    "error": {
        "code": 429,
        "message": "something went wrong",
        "type": "invalid_request_error",
        "param": "temperature",
        "error_type": "unmapped",
        "metadata": {
            "error_type": "server",
            "raw": '{"error": {"message": "no"}}',
            "provider_name": "Acme",
            "limit_source": "openrouter_key_limit",
            "resets_at": "2099-01-01T00:00:00Z",
            "reasons": ["violence"],
            "flagged_input": "a card",
            "patterns": ["x"],
            "headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800000"},
        },
        "availability": {"code": "capacity_exhausted", "retryable": True, "retry_after": 4, "fallback_models": ["a/b"]},
    },
    "user_id": "u",
}
STATUSES = (200, 200, 200, 400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 524, 529)

HEADERS = {
    "content-type": (
        "application/json",
        "text/plain; charset=hex",
        "application/json; charset=nonesuch",
        "text/html",
        "\x80",
        "",
    ),
    "content-encoding": ("identity", "gzip", "br", "nonesuch", ""),
    **dict.fromkeys(
        ("retry-after", "retry-after-ms", "x-ratelimit-remaining", "x-ratelimit-reset", "x-litellm-response-cost"),
        ("0", "-1", "nan", "inf", "1e999", "9" * 400, "soon", "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 99 Xyz 0000", "0.5", ""),
    ),
    **dict.fromkeys(("x-generation-id", "x-litellm-call-id", "location", "x-should-retry"), ("g", "\x80\xff", "x" * 9000, "")),
}

MODEL_LIST: dict[str, Any] = {
    "data": [
        {
            "id": "vendor/model",
            "canonical_slug": "vendor/model-20260105",
            "name": "A model",
            "created": 1,
            "context_length": 100_000,
            "pricing": {
                "prompt": "0.000001",
                "completion": "0.000002",
                "request": "0",
                "internal_reasoning": "0",
                "input_cache_read": "0.0000001",
                "input_cache_write": "0.000001",
                "discount": 0,
                "overrides": [{"min_prompt_tokens": 9, "prompt": "0.000003"}],
            },
            "top_provider": {"context_length": 90_000, "max_completion_tokens": 16_384, "is_moderated": False},
            "supported_parameters": ["structured_outputs", "temperature"],
            "reasoning": {"supported_efforts": ["low"], "mandatory": False},
            "default_parameters": {"temperature": 1},
            "expiration_date": None,
            "per_request_limits": None,
        },
        {"id": "vendor/other"},
    ]
}

KEY_FACTS: dict[str, Any] = {
    "data": {
        "label": "k",
        "limit": 10,
        "limit_remaining": 5,
        "limit_reset": None,
        "usage": 5,
        "is_free_tier": False,
        "expires_at": None,
        "effective_budget": {"remaining_usd": 4},
        "free_model_daily_requests": {"used": 1, "limit": 50, "remaining": 49},
    }
}


class OddReply(NamedTuple):
    """A response. `costs` is what the body says it cost in USD, None where that part was changed."""

    status: int
    headers: dict[str, str]
    text: str
    costs: float | None

    def body(self, answer: str) -> bytes:
        """The body with the placeholder of an answer filled in."""
        return self.text.replace('"@answer@"', json.dumps(answer)).encode("utf-8", "surrogatepass")


def odd_reply(chance: random.Random) -> OddReply:
    """A reply or an error with one or two fields changed, or odd headers, or an odd frame around the body."""
    is_error = chance.random() < 0.3
    document = odd_document(_error() if is_error else _reply(chance), chance)
    status = chance.choice(STATUSES) if is_error or chance.random() < 0.1 else 200
    name = chance.choice(list(HEADERS))
    headers = {name: chance.choice(HEADERS[name])} if chance.random() < 0.2 else {}
    costs = 0.25 if not is_error and isinstance(document, dict) and document.get("usage") == REPLY["usage"] else None
    return OddReply(status, headers, _framed(written(document), chance), costs)


def odd_document(document: Any, chance: random.Random) -> Any:
    """The document with one or two of its fields changed, perhaps all of it."""
    document = copy.deepcopy(document)
    for _ in range(chance.choice((1, 1, 2))):
        document = _changed(document, chance)
    return document


def written(document: Any) -> str:
    """The document as JSON, placeholders replaced."""
    text = json.dumps(document)
    for name, raw in RAW.items():
        text = text.replace(f'"{name}"', raw)
    return text


def _reply(chance: random.Random) -> Any:
    document = copy.deepcopy(REPLY)
    if chance.random() < 0.3:
        document["choices"][0]["message"] |= {"content": None, "tool_calls": [copy.deepcopy(CALL)]}
    if chance.random() < 0.1:
        document["choices"][0]["error"] = _error()["error"]
    return document


def _error() -> Any:
    return copy.deepcopy(ERROR)


def _changed(document: Any, chance: random.Random) -> Any:
    places = list(_places(document))
    if not places or chance.random() < 0.02:
        return chance.choice(ODD)
    holder, name = chance.choice(places)
    match chance.randrange(8):
        case 0:
            del holder[name]
        case 1:
            holder[name] = [holder[name], holder[name]]
        case 2:
            holder[name] = {"value": holder[name]}
        case _:
            holder[name] = copy.deepcopy(chance.choice(ODD))
    return document


def _places(value: Any) -> Any:
    """Every field and item, with the object or list that holds it."""
    for name in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, name
        yield from _places(value[name])


def _framed(text: str, chance: random.Random) -> str:
    match chance.randrange(40):
        case 0:
            return f"\ufeff{text}"
        case 1:
            return f": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n{text}"
        case 2:
            return " \n" * 500 + text
        case 3:
            return text[: len(text) // 2]
        case 4:
            return f"{text}{text}"
        case 5:
            return f"data: {text}\n\ndata: [DONE]\n\n"
        case _:
            return text
