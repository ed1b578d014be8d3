"""The failure catalogue as data: what a server plays, and what has to come of it.

A row says what the server plays first (then it answers well), the class and kind of the first attempt (D delivered,
M mistake, I infrastructure, C configuration), and how the call ends: "answer" (after asking again where it must), "mistake",
"outage", "input", "long" or "stop:SCOPE".
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from runner.llm.request import AnswerForm
from tests.llm.odd_server import GOOD_ANSWER, Play, completion, drip, error, hang_up, reply, silence
from tests.llm.support import KEY

SOON = 30.0


@dataclass
class Row:
    number: int
    name: str
    plays: list[Play]
    first: str
    kind: str
    end: str
    form: AnswerForm = AnswerForm.STRICT_SCHEMA
    waits: float = 0.0
    model: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.number:02d}-{self.name}"


def called(arguments: Any, name: str = "answer", **more: Any) -> dict[str, Any]:
    """A message that calls a tool."""
    function = {"name": name, "arguments": arguments}
    return completion(None, message={"tool_calls": [{"id": "c1", "type": "function", "function": function}], **more})


def page(status: int) -> Play:
    return reply("<!DOCTYPE html><html><body>Just a moment...</body></html>", status, kind="text/html; charset=UTF-8")


def stream(*events: Any) -> Play:
    return reply(
        ": OPENROUTER PROCESSING\n\n" + "".join(f"data: {json.dumps(event)}\n\n" for event in events), kind="text/event-stream"
    )


CUT_CHUNK = {"id": "gen-1", "choices": [{"delta": {"content": '{"card": "o'}}]}
BAD_CHUNK = {"id": "gen-1", "error": {"code": 502, "message": "upstream died"}, "choices": [{"finish_reason": "error"}]}
SOON_HEADERS = {"retry-after": "30"}
STRICT_UNSUPPORTED = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
TOOL = AnswerForm.TOOL
JSON = AnswerForm.JSON_OBJECT
FREE_RESET = {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-limit": "50",
    "x-ratelimit-reset": str(int((time.time() + 7200) * 1000)),
}

ROWS = [
    Row(1, "reset before a byte", [hang_up], "I", "connection_cut", "answer"),
    Row(2, "body shorter than announced", [reply('{"id": "gen', length=500)], "I", "connection_cut", "answer"),
    Row(3, "no bytes", [silence], "I", "timeout", "answer", model={"time_limit": 0.5}),
    Row(4, "blanks without end", [drip], "I", "timeout", "answer", model={"time_limit": 0.5}),
    Row(4, "blanks without end, again and again", [drip] * 9, "I", "timeout", "outage", model={"time_limit": 0.4}),
    Row(5, "blank body", [reply("   \n\n  ")], "I", "blank_body", "answer"),
    Row(5, "empty body", [reply("")], "I", "blank_body", "answer"),
    Row(6, "half an envelope", [reply('{"id": "gen-1", "choices": [{"mess')], "I", "broken_json", "answer"),
    Row(7, "web page, 200", [page(200)], "I", "web_page", "answer"),
    Row(7, "web page, 502", [page(502)], "I", "web_page", "answer"),
    Row(7, "web page, 403", [page(403)], "I", "web_page", "answer"),
    Row(7, "web page called JSON", [reply("<html><h1>Bad gateway</h1></html>")], "I", "web_page", "answer"),
    Row(7, "web page, 404", [page(404)], "C", "not_an_endpoint", "stop:model"),
    Row(
        8,
        "429 inside a 200",
        [reply({**error(429, raw="Too Many Requests", provider_name="Hyperbolic"), "choices": None})],
        "I",
        "throttled",
        "answer",
    ),
    Row(9, "502 inside a 200", [reply(error(502))], "I", "bad_gateway", "answer"),
    Row(9, "503 inside a 200", [reply(error(503))], "I", "overloaded", "answer"),
    Row(9, "504 inside a 200", [reply(error(504))], "I", "upstream_timeout", "answer"),
    Row(9, "524 inside a 200", [reply(error(524))], "I", "upstream_timeout", "answer"),
    Row(9, "529 inside a 200", [reply(error(529))], "I", "overloaded", "answer"),
    Row(9, "error without a code", [reply({"error": {"message": "boom"}})], "I", "server_error", "answer"),
    Row(9, "error that is a string", [reply({"error": "boom"})], "I", "server_error", "answer"),
    Row(
        9,
        "type instead of a code",
        [reply({"error": {"message": "x", "error_type": "provider_unavailable"}})],
        "I",
        "bad_gateway",
        "answer",
    ),
    Row(10, "choices null", [reply(completion() | {"choices": None})], "I", "no_choices", "answer"),
    Row(10, "choices empty", [reply(completion() | {"choices": []})], "I", "no_choices", "answer"),
    Row(10, "a list", [reply([])], "I", "server_error", "answer"),
    Row(10, "a number", [reply(7)], "I", "not_an_object", "answer"),
    Row(
        11,
        "nested under provider",
        [reply({"id": None, "choices": None, "provider": completion()})],
        "D",
        "delivered",
        "answer",
    ),
    Row(11, "nothing nested", [reply({"id": None, "choices": None, "provider": {}})], "I", "no_choices", "answer"),
    Row(
        12,
        "error in a choice",
        [reply(completion('{"card": "o', choice={"finish_reason": "error", "error": {"code": 502}}))],
        "I",
        "bad_gateway",
        "answer",
    ),
    Row(
        12,
        "finish reason error alone",
        [reply(completion("", choice={"finish_reason": "error"}))],
        "I",
        "server_error",
        "answer",
    ),
    Row(13, "error in a stream", [stream(CUT_CHUNK, BAD_CHUNK)], "I", "bad_gateway", "answer"),
    Row(14, "stream without an end", [stream(CUT_CHUNK)], "I", "streamed", "answer"),
    Row(15, "429 with Retry-After", [reply(error(429), 429, headers=SOON_HEADERS)], "I", "throttled", "answer", waits=SOON),
    Row(
        15,
        "429 with Retry-After as a date",
        [reply(error(429), 429, headers={"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT"})],
        "I",
        "throttled",
        "outage",
    ),
    Row(
        15,
        "429 with retry-after-ms",
        [reply(error(429), 429, headers={"retry-after-ms": "30000"})],
        "I",
        "throttled",
        "answer",
        waits=SOON,
    ),
    Row(15, "429 without a word", [reply("", 429)], "I", "throttled", "answer"),
    Row(
        15,
        "429 with a senseless Retry-After",
        [reply(error(429), 429, headers={"retry-after": "soon"})],
        "I",
        "throttled",
        "answer",
    ),
    Row(15, "429 longer than patience", [reply(error(429), 429, headers={"retry-after": "4000"})], "I", "throttled", "outage"),
    Row(15, "429 for ever", [reply(error(429), 429, headers=SOON_HEADERS)] * 60, "I", "throttled", "outage", waits=SOON),
    Row(
        16,
        "daily quota",
        [reply(error(429, "Rate limit exceeded: free-models-per-day"), 429, headers=FREE_RESET)],
        "C",
        "daily_quota",
        "stop:model",
    ),
    Row(
        16,
        "daily quota, reset in the metadata",
        [reply(error(429, "limit: free-models-per-day", headers=FREE_RESET), 429)],
        "C",
        "daily_quota",
        "stop:model",
    ),
    Row(
        16,
        "quota of a minute",
        [reply(error(429), 429, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "30"})],
        "I",
        "throttled",
        "answer",
        waits=SOON - 1,
    ),
    Row(
        17,
        "capacity exhausted",
        [reply(error(429, availability={"code": "capacity_exhausted", "retryable": True, "retry_after": 40}), 429)],
        "I",
        "throttled",
        "answer",
        waits=40.0,
    ),
    Row(18, "408", [reply(error(408), 408)], "I", "timeout_reported", "answer"),
    Row(19, "500 unmapped", [reply(error(500, error_type="unmapped"), 500)], "I", "server_error", "answer"),
    Row(19, "500 for ever", [reply(error(500, error_type="server"), 500)] * 20, "I", "server_error", "outage"),
    Row(20, "502", [reply(error(502, error_type="provider_unavailable"), 502)], "I", "bad_gateway", "answer"),
    Row(
        20,
        "503 with Retry-After",
        [reply(error(503, error_type="provider_overloaded"), 503, headers=SOON_HEADERS)],
        "I",
        "overloaded",
        "answer",
        waits=SOON,
    ),
    Row(
        20,
        "503 temporarily unavailable",
        [reply(error(503, availability={"code": "temporarily_unavailable", "retryable": True}), 503)],
        "I",
        "unavailable",
        "answer",
    ),
    Row(20, "504", [reply(error(504), 504)], "I", "upstream_timeout", "answer"),
    Row(20, "524", [reply("error code: 524", 524, kind="text/plain")], "I", "upstream_timeout", "answer"),
    Row(20, "529", [reply(error(529), 529)], "I", "overloaded", "answer"),
    Row(21, "no such key", [reply(error(401, "No auth credentials found"), 401)], "C", "key_refused", "stop:key"),
    Row(
        21,
        "no such key, OpenAI",
        [reply({"error": {"code": "invalid_api_key", "message": f"bad key {KEY}"}}, 401)],
        "C",
        "key_refused",
        "stop:key",
    ),
    Row(21, "no such key, inside a 200", [reply(error(401))], "C", "key_refused", "stop:key"),
    Row(
        22,
        "money in flight",
        [reply(error(402, limit_source="openrouter_in_flight_budget"), 402, headers=SOON_HEADERS)],
        "I",
        "in_flight_budget",
        "answer",
        waits=SOON,
    ),
    Row(
        23,
        "no credit",
        [reply(error(402, "Insufficient credits", limit_source="openrouter_credits"), 402)],
        "C",
        "no_credit",
        "stop:key",
    ),
    Row(23, "no credit, no more said", [reply(error(402), 402)], "C", "no_credit", "stop:key"),
    Row(
        23,
        "no quota, OpenAI",
        [reply({"error": {"code": "insufficient_quota", "message": "You exceeded your quota"}}, 429)],
        "C",
        "no_credit",
        "stop:key",
    ),
    Row(
        24,
        "key limit",
        [reply(error(403, limit_source="openrouter_key_limit", resets_at="2099-01-01T00:00:00Z"), 403)],
        "C",
        "key_limit",
        "stop:key",
    ),
    Row(
        25,
        "moderation, once",
        [reply(error(403, reasons=["violence"], flagged_input="the cards"), 403)],
        "I",
        "input_moderated",
        "answer",
    ),
    Row(
        25,
        "moderation, twice",
        [reply(error(403, reasons=["violence"], flagged_input="the cards"), 403)] * 2,
        "I",
        "input_moderated",
        "input",
    ),
    Row(
        26,
        "guardrail",
        [reply(error(403, "prompt injection patterns detected", patterns=["x"]), 403)] * 2,
        "I",
        "input_guardrail",
        "input",
    ),
    Row(
        27,
        "region",
        [reply(error(403, availability={"code": "region_restricted", "retryable": False}), 403)],
        "C",
        "region_restricted",
        "stop:model",
    ),
    Row(
        27,
        "privacy",
        [reply(error(404, "No endpoints matching your data policy", availability={"code": "privacy_restricted"}), 404)],
        "C",
        "privacy_restricted",
        "stop:model",
    ),
    Row(
        28,
        "no such model",
        [reply(error(400, "vendor/model is not a valid model ID", availability={"code": "model_not_found"}), 400)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Row(
        28,
        "model gone",
        [reply(error(404, availability={"code": "model_deprecated", "fallback_models": ["vendor/next"]}), 404)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Row(
        28, "no endpoints", [reply(error(404, "No endpoints found for vendor/model."), 404)], "C", "no_such_model", "stop:model"
    ),
    Row(
        28,
        "no such model, Ollama",
        [reply({"error": "model 'vendor/model' not found"}, 404)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Row(
        28,
        "no such model, OpenAI",
        [reply({"error": {"code": "model_not_found", "message": "gone"}}, 400)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Row(
        28,
        "no such model, with advice",
        [reply(error(404, "Unknown model, please contact support"), 404)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Row(
        29,
        "constraints",
        [reply(error(404, "none left", availability={"code": "constraint_filtered", "retryable": False}), 404)],
        "C",
        "form_refused",
        "answer",
    ),
    Row(
        29,
        "tool choice",
        [reply(error(404, "No endpoints found that support the provided 'tool_choice' value."), 404)],
        "C",
        "form_refused",
        "answer",
        form=TOOL,
    ),
    Row(
        30,
        "schema, 400",
        [reply({"error": {"message": STRICT_UNSUPPORTED, "param": "response_format"}}, 400)],
        "C",
        "form_refused",
        "answer",
    ),
    Row(
        30,
        "schema, 422",
        [reply({"detail": [{"loc": ["body", "response_format"], "msg": "Input should be 'json_object'"}]}, 422)],
        "C",
        "form_refused",
        "answer",
    ),
    Row(
        30,
        "schema, 500",
        [reply({"error": {"message": "response_format.type: literal_error", "type": "internal_server_error"}}, 500)],
        "C",
        "form_refused",
        "answer",
    ),
    Row(
        30,
        "json_object, LM Studio",
        [reply({"error": "'response_format.type' must be 'json_schema' or 'text'"}, 400)],
        "C",
        "form_refused",
        "answer",
        form=JSON,
    ),
    Row(
        30,
        "unknown parameter",
        [reply(error(400, "Unrecognized key(s) in object: 'min_p'"), 400)],
        "C",
        "parameter_refused",
        "answer",
        model={"parameters": {"min_p": 0.1}},
    ),
    Row(
        30,
        "another name for max_tokens",
        [
            reply(
                {"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}},
                400,
            )
        ],
        "C",
        "token_field_refused",
        "answer",
    ),
    Row(
        31,
        "context",
        [reply(error(400, "This endpoint's maximum context length is 8192 tokens", error_type="context_length_exceeded"), 400)],
        "C",
        "context_length",
        "long",
    ),
    Row(31, "413", [reply(error(413), 413)], "C", "context_length", "long"),
    Row(
        32,
        "too few tokens",
        [
            reply(
                error(
                    400,
                    "Invalid 'max_tokens': integer below minimum value. Expected a value >= 16",
                    error_type="token_limit_exceeded",
                ),
                400,
            )
        ],
        "C",
        "token_limit",
        "answer",
        model={"max_tokens": 8},
    ),
    Row(
        32,
        "too many tokens",
        [reply(error(400, "max_tokens: 9000 > 4096, which is the maximum allowed number of output tokens: at most 4096"), 400)],
        "C",
        "token_limit",
        "answer",
        model={"max_tokens": 9000},
    ),
    Row(33, "refusal, 400", [reply(error(400, "the model refused", error_type="refusal"), 400)], "M", "refused", "mistake"),
    Row(33, "refusal in the message", [reply(completion(None, message={"refusal": "I won't."}))], "M", "refused", "mistake"),
    Row(
        34,
        "content policy",
        [reply(error(400, "output blocked", error_type="content_policy_violation"), 400)],
        "M",
        "filtered",
        "mistake",
    ),
    Row(34, "content filter", [reply(completion("", choice={"finish_reason": "content_filter"}))], "M", "filtered", "mistake"),
    Row(
        34,
        "content filter, cut",
        [reply(completion('{"card": "o', choice={"finish_reason": "content_filter"}))],
        "M",
        "filtered",
        "mistake",
    ),
    Row(
        34,
        "filter of the prompt",
        [reply(completion("", choice={"finish_reason": "content_filter", "native_finish_reason": "PROHIBITED_CONTENT"}))],
        "I",
        "input_moderated",
        "answer",
    ),
    Row(
        35,
        "nothing, no tokens",
        [reply(completion("", usage={"completion_tokens": 0}, choice={"finish_reason": None}))],
        "I",
        "nothing_delivered",
        "answer",
    ),
    Row(
        35,
        "null, no tokens, stop",
        [reply(completion(None, usage={"completion_tokens": 0}))],
        "I",
        "nothing_delivered",
        "answer",
    ),
    Row(36, "nothing, but tokens", [reply(completion("", usage={"completion_tokens": 9}))], "M", "empty", "mistake"),
    Row(
        37,
        "thinking took all",
        [reply(completion("", choice={"finish_reason": "length"}, usage={"completion_tokens": 4096}))],
        "M",
        "reasoning_exhausted",
        "mistake",
    ),
    Row(
        38,
        "cut off",
        [reply(completion('{"action": "bid", "amount": 12', choice={"finish_reason": "length"}))],
        "M",
        "truncated",
        "mistake",
    ),
    Row(
        38,
        "whole, then cut off",
        [reply(completion(GOOD_ANSWER + "\n", choice={"finish_reason": "length"}))],
        "D",
        "delivered",
        "answer",
    ),
    Row(
        39,
        "blanks until cut off",
        [reply(completion("{" + "\n" * 500, choice={"finish_reason": "length"}))],
        "M",
        "whitespace_loop",
        "mistake",
    ),
    Row(
        39,
        "only blanks",
        [reply(completion("\n" * 500, choice={"finish_reason": "length"}))],
        "M",
        "whitespace_loop",
        "mistake",
    ),
    Row(44, "tool called without arguments", [reply(called(None))], "M", "empty", "mistake", form=TOOL),
    Row(44, "unknown tool", [reply(called(GOOD_ANSWER, "search"))], "M", "unknown_tool", "mistake", form=TOOL),
    Row(47, "another model", [reply(completion(model="vendor/other"))], "I", "other_model", "answer", model={"rated": True}),
    Row(
        47,
        "another model, again",
        [reply(completion(model="vendor/other"))] * 2,
        "I",
        "other_model",
        "stop:model",
        model={"rated": True},
    ),
    Row(
        47,
        "another provider",
        [reply(completion(provider="Other")), reply(completion(provider="Pinned"))],
        "I",
        "other_model",
        "answer",
        model={"rated": True, "speaks_openrouter": True, "parameters": {"provider": {"only": ["pinned/fp8"]}}},
    ),
    Row(
        47,
        "OpenRouter names nobody",
        [reply({k: v for k, v in completion().items() if k != "model"})] * 2,
        "I",
        "other_model",
        "stop:model",
        model={"rated": True, "speaks_openrouter": True},
    ),
    Row(47, "another model, casually", [reply(completion(model="vendor/other"))], "D", "delivered", "answer"),
    Row(
        47,
        "its dated version",
        [reply(completion(model="vendor/model-2026-01-05", provider="Pinned"))],
        "D",
        "delivered",
        "answer",
        model={"rated": True, "parameters": {"provider": {"only": ["pinned"]}}},
    ),
    Row(48, "no usage", [reply({k: v for k, v in completion().items() if k != "usage"})], "D", "delivered", "answer"),
]

READ = [
    (40, completion("```json\n" + GOOD_ANSWER + "\n```"), AnswerForm.TEXT, {"card": "owl"}),
    (40, completion("I take the owl.\n{'card': 'owl',}"), AnswerForm.TEXT, {"card": "owl"}),
    (41, completion('{"card": "owl"} or rather {"card": "key"}'), AnswerForm.TEXT, "ambiguous"),
    (41, completion('<think>{"card": "owl"}</think>'), AnswerForm.TEXT, "reasoning_only"),
    (42, completion('[{"card": "owl"}]'), AnswerForm.TEXT, {"card": "owl"}),
    (42, completion(json.dumps(GOOD_ANSWER)), AnswerForm.TEXT, {"card": "owl"}),
    (42, completion('{"card": NaN}'), AnswerForm.TEXT, "bad_number"),
    (44, called(GOOD_ANSWER), TOOL, {"card": "owl"}),
    (44, called({"card": "owl"}), TOOL, {"card": "owl"}),
    (44, called(json.dumps(GOOD_ANSWER)), TOOL, {"card": "owl"}),
    (44, called('{"card": "owl"'), TOOL, "unfinished"),
    (44, called(None, content=GOOD_ANSWER), TOOL, {"card": "owl"}),
    (
        44,
        completion(None, message={"tool_calls": [{"function": {"name": "answer", "arguments": a}} for a in [GOOD_ANSWER] * 2]}),
        TOOL,
        {"card": "owl"},
    ),
    (
        44,
        completion(
            None,
            message={
                "tool_calls": [{"function": {"name": "answer", "arguments": a}} for a in (GOOD_ANSWER, '{"card": "key"}')]
            },
        ),
        TOOL,
        "ambiguous",
    ),
    (45, completion('<tool_call>{"name": "answer", "arguments": {"card": "owl"}}</tool_call>'), TOOL, {"card": "owl"}),
    (46, completion([{"type": "text", "text": '{"card": '}, {"type": "text", "text": '"owl"}'}]), JSON, {"card": "owl"}),
    (46, completion(GOOD_ANSWER, message={"reasoning_content": '{"card": "key"}'}), JSON, {"card": "owl"}),
    (49, completion("[" * 5000), JSON, "too_deep"),
    (49, completion('{"card": ' + "9" * 5000 + "}"), JSON, "bad_number"),
    (49, completion('{"card": "\ud800owl"}'), JSON, {"card": "\ufffdowl"}),
    (49, completion("x" * 1_000_000), JSON, "too_long"),
]
