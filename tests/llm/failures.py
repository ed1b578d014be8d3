"""Failures of endpoints, each with its right handling, and answers in unusual shapes.

A failure says what the server sends first (then it answers well), the class and kind of the first attempt (D delivered,
M mistake, I infrastructure, C configuration), and how the call ends: "answer" (after a retry where one is needed), "mistake",
"outage", "input" (a filter refused the prompt), "long" (the prompt exceeds the context) or "stop:SCOPE". `answered`: the model
has answered a call before; `quotes`: the prompt holds other players' text.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from runner.llm.request import AnswerForm
from tests.llm.odd_server import GOOD_ANSWER, Play, completion, drip, error, hang_up, raw, reply, silence
from tests.llm.support import KEY

SOON = 30.0


@dataclass
class Failure:
    name: str
    plays: list[Play]
    first: str
    kind: str
    end: str
    form: AnswerForm = AnswerForm.STRICT_SCHEMA
    waits: float = 0.0
    model: dict[str, Any] = field(default_factory=dict)
    answered: bool = False
    quotes: bool = False

    def __str__(self) -> str:
        return self.name


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
COMMENTS = ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n"
TOOL = AnswerForm.TOOL
JSON = AnswerForm.JSON_OBJECT
FREE_RESET = {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-limit": "50",
    "x-ratelimit-reset": str(int((time.time() + 7200) * 1000)),
}

RISK = {
    "error": {"message": "Anfrage abgelehnt", "type": "invalid_request_error", "param": None, "code": "invalid_request_error"}
}
FILTERS = (
    (400, "invalid_request_error", "Content Exists Risk"),
    (400, "data_inspection_failed", "Input data may contain inappropriate content."),
    (400, "invalid_prompt", "Your prompt was flagged; see https://platform.openai.com/docs/guides/reasoning"),
    (400, "contentFilter", "no"),
    (403, "permission_denied", "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"),
)
TOO_MANY = error(429, "Request too large on tokens per minute (TPM): Limit 4120, Requested 4130", type="tokens")
EMPTY = (
    (429, "1113", "Insufficient balance or no resource package. Please recharge."),
    (429, "exceeded_current_quota_error", "Your account is suspended, please check your plan and billing details"),
    (403, "permission-denied", "Your team has either used all available credits or reached its monthly spending limit."),
    (400, "Arrearage", "Access denied, please make sure your account is in good standing."),
)
BILLS = "You exceeded your current quota, please check your plan and billing details."
AFFORD = "This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford {}."

PLANS = "20 requests per minute. (Plans: 20 per minute, 1000 per day, see billing.)"
UNREAD = completion() | {
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "said": GOOD_ANSWER}}]
}
TWO = [
    {"index": at, "finish_reason": "stop", "message": {"content": content}} for at, content in enumerate((None, GOOD_ANSWER))
]

FAILURES = [
    Failure("reset before a byte", [hang_up], "I", "connection_cut", "answer"),
    Failure("body shorter than announced", [reply('{"id": "gen', length=500)], "I", "connection_cut", "answer"),
    Failure("no HTTP", [raw(b"zzzz" * 40_000)], "I", "connection_cut", "answer"),
    Failure("no bytes", [silence], "I", "timeout", "answer", model={"time_limit": 1.0}),
    Failure("blanks without end", [drip], "I", "timeout", "answer", model={"time_limit": 1.0}),
    Failure("blanks without end, again and again", [drip] * 9, "I", "timeout", "outage", model={"time_limit": 1.0}),
    Failure("blank body", [reply("   \n\n  ")], "I", "blank_body", "answer"),
    Failure("empty body", [reply("")], "I", "blank_body", "answer"),
    Failure("half an envelope", [reply('{"id": "gen-1", "choices": [{"mess')], "I", "broken_json", "answer"),
    Failure("web page, 200", [page(200)], "I", "web_page", "answer"),
    Failure("web page, 502", [page(502)], "I", "web_page", "answer"),
    Failure("web page, 403", [page(403)], "I", "web_page", "answer"),
    Failure("web page called JSON", [reply("<html><h1>Bad gateway</h1></html>")], "I", "web_page", "answer"),
    Failure("web page, 404", [page(404)], "C", "not_an_endpoint", "stop:model"),
    Failure(
        "429 inside a 200",
        [reply({**error(429, raw="Too Many Requests", provider_name="Hyperbolic"), "choices": None})],
        "I",
        "throttled",
        "answer",
    ),
    Failure("502 inside a 200", [reply(error(502))], "I", "bad_gateway", "answer"),
    Failure("503 inside a 200", [reply(error(503))], "I", "overloaded", "answer"),
    Failure("504 inside a 200", [reply(error(504))], "I", "upstream_timeout", "answer"),
    Failure("524 inside a 200", [reply(error(524))], "I", "upstream_timeout", "answer"),
    Failure("529 inside a 200", [reply(error(529))], "I", "overloaded", "answer"),
    Failure("error without a code", [reply({"error": {"message": "boom"}})], "I", "server_error", "answer"),
    Failure("error that is a string", [reply({"error": "boom"})], "I", "server_error", "answer"),
    Failure(
        "type instead of a code",
        [reply({"error": {"message": "x", "error_type": "provider_unavailable"}})],
        "I",
        "bad_gateway",
        "answer",
    ),
    Failure("choices null", [reply(completion() | {"choices": None})], "I", "no_choices", "answer"),
    Failure("choices empty", [reply(completion() | {"choices": []})], "I", "no_choices", "answer"),
    Failure("a list", [reply([])], "I", "server_error", "answer"),
    Failure("a number", [reply(7)], "I", "not_an_object", "answer"),
    Failure(
        "nested under provider",
        [reply({"id": None, "choices": None, "provider": completion()})],
        "D",
        "delivered",
        "answer",
    ),
    Failure("nothing nested", [reply({"id": None, "choices": None, "provider": {}})], "I", "no_choices", "answer"),
    Failure(
        "error in a choice",
        [reply(completion('{"card": "o', choice={"finish_reason": "error", "error": {"code": 502}}))],
        "I",
        "bad_gateway",
        "answer",
    ),
    Failure(
        "finish reason error alone",
        [reply(completion("", choice={"finish_reason": "error"}))],
        "I",
        "server_error",
        "answer",
    ),
    Failure("error in a stream", [stream(CUT_CHUNK, BAD_CHUNK)], "I", "bad_gateway", "answer"),
    Failure("stream without an end", [stream(CUT_CHUNK)], "I", "unfinished", "answer"),
    Failure("429 with Retry-After", [reply(error(429), 429, headers=SOON_HEADERS)], "I", "throttled", "answer", waits=SOON),
    Failure(
        "429 with Retry-After as a date",
        [reply(error(429), 429, headers={"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT"})],
        "I",
        "throttled",
        "outage",
    ),
    Failure(
        "429 with retry-after-ms",
        [reply(error(429), 429, headers={"retry-after-ms": "30000"})],
        "I",
        "throttled",
        "answer",
        waits=SOON,
    ),
    Failure("429 without a word", [reply("", 429)], "I", "throttled", "answer"),
    Failure(
        "429 with a senseless Retry-After",
        [reply(error(429), 429, headers={"retry-after": "soon"})],
        "I",
        "throttled",
        "answer",
    ),
    Failure("429 longer than patience", [reply(error(429), 429, headers={"retry-after": "4000"})], "I", "throttled", "outage"),
    Failure("429 for ever", [reply(error(429), 429, headers=SOON_HEADERS)] * 60, "I", "throttled", "outage", waits=SOON),
    Failure(
        "daily quota",
        [reply(error(429, "Rate limit exceeded: free-models-per-day"), 429, headers=FREE_RESET)],
        "C",
        "daily_quota",
        "stop:model",
    ),
    Failure(
        "daily quota, reset in the metadata",
        [reply(error(429, "limit: free-models-per-day", headers=FREE_RESET), 429)],
        "C",
        "daily_quota",
        "stop:model",
    ),
    Failure(
        "quota of a minute",
        [reply(error(429), 429, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "30"})],
        "I",
        "throttled",
        "answer",
        waits=SOON - 1,
    ),
    Failure(
        "capacity exhausted",
        [reply(error(429, availability={"code": "capacity_exhausted", "retryable": True, "retry_after": 40}), 429)],
        "I",
        "throttled",
        "answer",
        waits=40.0,
    ),
    Failure("408", [reply(error(408), 408)], "I", "timeout_reported", "answer"),
    Failure("500 unmapped", [reply(error(500, error_type="unmapped"), 500)], "I", "server_error", "answer"),
    Failure("500 for ever", [reply(error(500, error_type="server"), 500)] * 20, "I", "server_error", "outage"),
    Failure("502", [reply(error(502, error_type="provider_unavailable"), 502)], "I", "bad_gateway", "answer"),
    Failure(
        "503 with Retry-After",
        [reply(error(503, error_type="provider_overloaded"), 503, headers=SOON_HEADERS)],
        "I",
        "overloaded",
        "answer",
        waits=SOON,
    ),
    Failure(
        "503 temporarily unavailable",
        [reply(error(503, availability={"code": "temporarily_unavailable", "retryable": True}), 503)],
        "I",
        "unavailable",
        "answer",
    ),
    Failure("504", [reply(error(504), 504)], "I", "upstream_timeout", "answer"),
    Failure("524", [reply("error code: 524", 524, kind="text/plain")], "I", "upstream_timeout", "answer"),
    Failure("529", [reply(error(529), 529)], "I", "overloaded", "answer"),
    Failure("no such key", [reply(error(401, "No auth credentials found"), 401)], "C", "key_refused", "stop:key"),
    Failure(
        "no such key, OpenAI",
        [reply({"error": {"code": "invalid_api_key", "message": f"bad key {KEY}"}}, 401)],
        "C",
        "key_refused",
        "stop:key",
    ),
    Failure("no such key, inside a 200", [reply(error(401))], "C", "key_refused", "stop:key"),
    Failure(
        "money in flight",
        [reply(error(402, limit_source="openrouter_in_flight_budget"), 402, headers=SOON_HEADERS)],
        "I",
        "in_flight_budget",
        "answer",
        waits=SOON,
    ),
    Failure(
        "no credit",
        [reply(error(402, "Insufficient credits", limit_source="openrouter_credits"), 402)],
        "C",
        "no_credit",
        "stop:key",
    ),
    Failure("no credit, no more said", [reply(error(402), 402)], "C", "no_credit", "stop:key"),
    Failure(
        "no quota, OpenAI",
        [reply({"error": {"code": "insufficient_quota", "message": "You exceeded your quota"}}, 429)],
        "C",
        "no_credit",
        "stop:key",
    ),
    Failure(
        "key limit",
        [reply(error(403, limit_source="openrouter_key_limit", resets_at="2099-01-01T00:00:00Z"), 403)],
        "C",
        "key_limit",
        "stop:key",
    ),
    Failure(
        "moderation, once",
        [reply(error(403, reasons=["violence"], flagged_input="the cards"), 403)],
        "I",
        "input_moderated",
        "answer",
    ),
    Failure(
        "moderation, twice",
        [reply(error(403, reasons=["violence"], flagged_input="the cards"), 403)] * 2,
        "I",
        "input_moderated",
        "input",
    ),
    Failure(
        "guardrail",
        [reply(error(403, "prompt injection patterns detected", patterns=["x"]), 403)] * 2,
        "I",
        "input_guardrail",
        "input",
    ),
    Failure(
        "region",
        [reply(error(403, availability={"code": "region_restricted", "retryable": False}), 403)],
        "C",
        "region_restricted",
        "stop:model",
    ),
    Failure(
        "region, in words",
        [reply(error(403, "Country, region, or territory not supported"), 403)],
        "C",
        "region_restricted",
        "stop:model",
    ),
    Failure("key limit, in words", [reply(error(403, "Key limit exceeded (total limit)."), 403)], "C", "key_limit", "stop:key"),
    Failure(
        "privacy",
        [reply(error(404, "No endpoints matching your data policy", availability={"code": "privacy_restricted"}), 404)],
        "C",
        "privacy_restricted",
        "stop:model",
    ),
    Failure(
        "no such model",
        [reply(error(400, "vendor/model is not a valid model ID", availability={"code": "model_not_found"}), 400)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Failure(
        "model gone",
        [reply(error(404, availability={"code": "model_deprecated", "fallback_models": ["vendor/next"]}), 404)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Failure(
        "no endpoints", [reply(error(404, "No endpoints found for vendor/model."), 404)], "C", "no_such_model", "stop:model"
    ),
    Failure(
        "no such model, Ollama",
        [reply({"error": "model 'vendor/model' not found"}, 404)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Failure(
        "no such model, OpenAI",
        [reply({"error": {"code": "model_not_found", "message": "gone"}}, 400)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Failure(
        "no such model, with advice",
        [reply(error(404, "Unknown model, please contact support"), 404)],
        "C",
        "no_such_model",
        "stop:model",
    ),
    Failure(
        "constraints",
        [reply(error(404, "none left", availability={"code": "constraint_filtered", "retryable": False}), 404)],
        "C",
        "form_refused",
        "answer",
    ),
    Failure(
        "tool choice",
        [reply(error(404, "No endpoints found that support the provided 'tool_choice' value."), 404)],
        "C",
        "form_refused",
        "answer",
        form=TOOL,
    ),
    Failure(
        "schema, 400",
        [reply({"error": {"message": STRICT_UNSUPPORTED, "param": "response_format"}}, 400)],
        "C",
        "form_refused",
        "answer",
    ),
    Failure(
        "schema, 422",
        [reply({"detail": [{"loc": ["body", "response_format"], "msg": "Input should be 'json_object'"}]}, 422)],
        "C",
        "form_refused",
        "answer",
    ),
    Failure(
        "schema, 500",
        [reply({"error": {"message": "response_format.type: literal_error", "type": "internal_server_error"}}, 500)],
        "C",
        "form_refused",
        "answer",
    ),
    Failure(
        "json_object, LM Studio",
        [reply({"error": "'response_format.type' must be 'json_schema' or 'text'"}, 400)],
        "C",
        "form_refused",
        "answer",
        form=JSON,
    ),
    Failure(
        "unknown parameter",
        [reply(error(400, "Unrecognized key(s) in object: 'min_p'"), 400)],
        "C",
        "parameter_refused",
        "answer",
        model={"parameters": {"min_p": 0.1}},
    ),
    Failure(
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
    Failure(
        "context",
        [reply(error(400, "This endpoint's maximum context length is 8192 tokens", error_type="context_length_exceeded"), 400)],
        "C",
        "context_length",
        "long",
    ),
    Failure("413", [reply(error(413), 413)], "C", "context_length", "long"),
    Failure(
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
    Failure(
        "too many tokens",
        [reply(error(400, "max_tokens: 9000 > 4096, which is the maximum allowed number of output tokens: at most 4096"), 400)],
        "C",
        "token_limit",
        "answer",
        model={"max_tokens": 9000},
    ),
    Failure("refusal, 400", [reply(error(400, "the model refused", error_type="refusal"), 400)], "M", "refused", "mistake"),
    Failure("refusal in the message", [reply(completion(None, message={"refusal": "I won't."}))], "M", "refused", "mistake"),
    Failure(
        "content policy",
        [reply(error(400, "output blocked", error_type="content_policy_violation"), 400)],
        "M",
        "filtered",
        "mistake",
    ),
    Failure("content filter", [reply(completion("", choice={"finish_reason": "content_filter"}))], "M", "filtered", "mistake"),
    Failure(
        "content filter, cut",
        [reply(completion('{"card": "o', choice={"finish_reason": "content_filter"}))],
        "M",
        "filtered",
        "mistake",
    ),
    Failure(
        "filter of the prompt",
        [reply(completion("", choice={"finish_reason": "content_filter", "native_finish_reason": "PROHIBITED_CONTENT"}))],
        "I",
        "input_moderated",
        "answer",
    ),
    Failure(
        "nothing, no tokens",
        [reply(completion("", usage={"completion_tokens": 0}, choice={"finish_reason": None}))],
        "I",
        "nothing_delivered",
        "answer",
    ),
    Failure(
        "null, no tokens, stop",
        [reply(completion(None, usage={"completion_tokens": 0}))],
        "I",
        "nothing_delivered",
        "answer",
    ),
    Failure("nothing, but tokens", [reply(completion("", usage={"completion_tokens": 9}))], "M", "empty", "mistake"),
    Failure(
        "thinking took all",
        [reply(completion("", choice={"finish_reason": "length"}, usage={"completion_tokens": 4096}))],
        "M",
        "reasoning_exhausted",
        "mistake",
    ),
    Failure(
        "cut off",
        [reply(completion('{"action": "bid", "amount": 12', choice={"finish_reason": "length"}))],
        "M",
        "truncated",
        "mistake",
    ),
    Failure(
        "whole, then cut off",
        [reply(completion(GOOD_ANSWER + "\n", choice={"finish_reason": "length"}))],
        "D",
        "delivered",
        "answer",
    ),
    Failure(
        "blanks until cut off",
        [reply(completion("{" + "\n" * 500, choice={"finish_reason": "length"}))],
        "M",
        "whitespace_loop",
        "mistake",
    ),
    Failure(
        "only blanks",
        [reply(completion("\n" * 500, choice={"finish_reason": "length"}))],
        "M",
        "whitespace_loop",
        "mistake",
    ),
    Failure("a million letters", [reply(completion("x" * 1_000_000))], "M", "unreadable", "mistake"),
    Failure(
        "cut off, in capitals",
        [reply(completion('{"card": "o', choice={"finish_reason": "MAX_TOKENS"}))],
        "M",
        "truncated",
        "mistake",
    ),
    Failure(
        "no reason to end, no answer", [reply(completion("hm", choice={"finish_reason": {}}))], "I", "unfinished", "answer"
    ),
    Failure("byte order mark", [reply(f"\ufeff{json.dumps(completion())}")], "D", "delivered", "answer"),
    Failure("comments before the body", [reply(f"{COMMENTS}\n{json.dumps(completion())}")], "D", "delivered", "answer"),
    Failure("a charset that is none", [reply(completion(), kind="application/json; charset=hex")], "D", "delivered", "answer"),
    Failure("gzip that is none", [reply(completion(), headers={"content-encoding": "gzip"})], "D", "delivered", "answer"),
    Failure("nothing but comments", [reply(COMMENTS)], "I", "blank_body", "answer"),
    Failure(
        "a number of 5,000 digits",
        [reply(json.dumps(completion(created="@")).replace('"@"', "9" * 5000))],
        "D",
        "delivered",
        "answer",
    ),
    Failure("tool called without arguments", [reply(called(None))], "M", "empty", "mistake", form=TOOL),
    Failure("unknown tool", [reply(called(GOOD_ANSWER, "search"))], "M", "unknown_tool", "mistake", form=TOOL),
    Failure("another model", [reply(completion(model="vendor/other"))], "I", "other_model", "answer", model={"rated": True}),
    Failure(
        "another model, again",
        [reply(completion(model="vendor/other"))] * 2,
        "I",
        "other_model",
        "stop:model",
        model={"rated": True},
    ),
    Failure(
        "another provider",
        [reply(completion(provider="Other")), reply(completion(provider="Pinned"))],
        "I",
        "other_model",
        "answer",
        model={"rated": True, "speaks_openrouter": True, "parameters": {"provider": {"only": ["pinned/fp8"]}}},
    ),
    Failure(
        "OpenRouter names nobody",
        [reply({k: v for k, v in completion().items() if k != "model"})] * 2,
        "I",
        "other_model",
        "stop:model",
        model={"rated": True, "speaks_openrouter": True},
    ),
    Failure("another model, casually", [reply(completion(model="vendor/other"))], "D", "delivered", "answer"),
    Failure(
        "its dated version",
        [reply(completion(model="vendor/model-2026-01-05", provider="Pinned"))],
        "D",
        "delivered",
        "answer",
        model={"rated": True, "parameters": {"provider": {"only": ["pinned"]}}},
    ),
    Failure("no usage", [reply({k: v for k, v in completion().items() if k != "usage"})], "D", "delivered", "answer"),
    Failure("no reason known, quoting others", [reply(RISK, 400)] * 20, "C", "bad_request", "input", quotes=True),
    Failure("no reason known, answered before", [reply(RISK, 400)] * 2, "I", "bad_request", "input", answered=True),
    Failure("403 without a reason, quoting others", [reply(error(403, "no"), 403)], "C", "forbidden", "input", quotes=True),
    Failure("403 without a reason", [reply(error(403, "no"), 403)], "C", "forbidden", "stop:model"),
    *(
        Failure(f"filter of the prompt: {code}", [reply({"error": {"message": words, "code": code}}, status)] * 2, "I",
                "input_moderated", "input", answered=answered)
        for status, code, words in FILTERS for answered in (False, True)
    ),
    Failure("prompt blocked, no choices", [reply({"choices": [], "promptFeedback": {"blockReason": "SAFETY"}})] * 2, "I",
            "input_moderated", "input"),
    *(
        Failure(f"filter without tokens: {reason}", [reply(completion("", usage={"completion_tokens": 0},
                choice={"finish_reason": reason}))] * 2, "I", "input_moderated", "input")
        for reason in ("content_filter", "sensitive", "SAFETY", "moderation")
    ),
    Failure("sensitive, cut", [reply(completion('{"card": "o', choice={"finish_reason": "sensitive"}))], "M", "filtered",
            "mistake"),
    *(
        Failure(f"cut by {reason}", [reply(completion('{"card": "o', choice={"finish_reason": reason}))], "I", "unfinished",
                "answer")
        for reason in ("insufficient_system_resource", "network_error", "abort", "suspended")
    ),
    Failure("whole before an abort", [reply(completion(choice={"finish_reason": "abort"}))], "D", "delivered", "answer"),
    *(
        Failure(f"{status}: tokens a minute, prompt and bound", [reply(TOO_MANY, status)] * 2, "C", "token_limit", "answer")
        for status in (413, 429)
    ),
    Failure("tokens a minute, rated", [reply(TOO_MANY, 413)], "C", "token_limit", "answer", model={"rated": True},
            answered=True),
    Failure("tokens a minute, prompt alone", [reply(error(429, "TPM: Limit 5, Requested 4111"), 429)], "C", "context_length",
            "long"),
    Failure("tokens a minute, used by others", [reply(error(429, "TPM: Limit 5000, Used 4800, Requested 900"), 429)], "I",
            "throttled", "answer"),
    *(
        Failure(f"{status}: {words}", [reply({"error": {"message": words, "code": code}}, status)], "C", "no_credit",
                "stop:key")
        for status, code, words in EMPTY
    ),
    Failure("quota of a minute, with its page of bills", [reply([{"error": {"code": 429, "message": BILLS, "details": [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "37s"}]}}], 429)], "I", "throttled", "answer",
            waits=37.0),
    Failure("429 that says day, and to wait half a minute", [reply(error(429, "tokens per day: slow down"), 429,
            headers=SOON_HEADERS)], "I", "throttled", "answer", waits=SOON),
    Failure("web page, 404, answered before", [page(404)], "I", "web_page", "answer", answered=True),
    Failure("web page, 404 for ever, answered before", [page(404)] * 20, "I", "web_page", "outage", answered=True),
    Failure("404 of a server without this path", [reply({"detail": "Not Found"}, 404)], "C", "not_an_endpoint", "stop:model"),
    Failure(
        "404 of llama-server without this path",
        [reply({"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}, 404)],
        "C",
        "not_an_endpoint",
        "stop:model",
    ),
    Failure("405", [reply({"detail": "Method Not Allowed"}, 405)], "C", "not_an_endpoint", "stop:model"),
    Failure("400 that is a rate limit", [reply({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, 400)], "I",
            "throttled", "answer"),
    Failure("credit for a shorter reply", [reply(error(402, AFFORD.format(901)), 402)], "C", "token_limit", "answer"),
    Failure("credit for no reply", [reply(error(402, AFFORD.format(20)), 402)], "C", "no_credit", "stop:key"),
    Failure("reset in 300 years", [reply(error(403, limit_source="openrouter_key_limit", resets_at="2400-01-01"), 403)], "C",
            "key_limit", "stop:key"),
    Failure("reset of 300 digits", [reply(error(429, "per day", headers={**FREE_RESET, "x-ratelimit-reset": "9" * 300}), 429)],
            "C", "daily_quota", "stop:model"),
    Failure("unread envelope, again and again", [reply(UNREAD)] * 9, "I", "unread_envelope", "outage"),
    Failure("short filter", [reply({"error": {"code": "content_filter", "message": "filtered"}}, 400)] * 2, "I",
            "input_moderated", "input"),
    Failure("account empty, said outside error", [reply({"choices": None, "base_resp": {"status_code": 1008,
            "status_msg": "insufficient balance"}})], "C", "no_credit", "stop:key"),
    Failure("answer of another API", [reply({"candidates": [], "usageMetadata": {}})], "C", "not_an_endpoint", "stop:model"),
    Failure("answer of another API, answered before", [reply({"candidates": []})], "I", "web_page", "answer", answered=True),
    Failure("redirect, answered before", [reply("", 302, headers={"location": "http://portal.invalid/"})], "I", "web_page",
            "answer", answered=True),
    Failure("no such model, answered before", [reply(error(404, "model vendor/model not found"), 404)], "I", "model_absent",
            "answer", answered=True),
    Failure("model gone, answered before", [reply(error(404, availability={"code": "model_deprecated"}), 404)], "C",
            "no_such_model", "stop:model", answered=True),
    Failure("request queue full", [reply({"message": "The request queue is full.", "code": 400}, 400)], "I", "overloaded",
            "answer"),
    Failure("rate that mentions plans and days", [reply(error(429, PLANS), 429)], "I", "throttled", "answer"),
    Failure("rate by 403", [reply(error(403, "Quota exceeded for 'requests per minute'"), 403)], "I", "throttled", "answer"),
    Failure("error that says nothing beside the answer", [reply(completion(error={"code": 200, "message": "ok"}))], "D",
            "delivered", "answer"),
    Failure("answer in the second choice", [reply(completion(None) | {"choices": TWO})], "D", "delivered", "answer"),
    Failure("thoughts by the total alone", [reply(completion(None, usage={"completion_tokens": 0, "total_tokens": 4390}))], "M",
            "reasoning_exhausted", "mistake"),
    Failure("Retry-After of 300 digits", [reply(error(429), 429, headers={"retry-after": "9" * 300})], "I", "throttled",
            "outage"),
]  # fmt: skip

ANSWERS = [
    (completion("```json\n" + GOOD_ANSWER + "\n```"), AnswerForm.TEXT, {"card": "owl"}),
    (completion("I take the owl.\n{'card': 'owl',}"), AnswerForm.TEXT, {"card": "owl"}),
    (completion('{"card": "owl"} or rather {"card": "key"}'), AnswerForm.TEXT, "ambiguous"),
    (completion('<think>{"card": "owl"}</think>'), AnswerForm.TEXT, "reasoning_only"),
    (completion('[{"card": "owl"}]'), AnswerForm.TEXT, {"card": "owl"}),
    (completion(json.dumps(GOOD_ANSWER)), AnswerForm.TEXT, {"card": "owl"}),
    (completion('{"card": NaN}'), AnswerForm.TEXT, "bad_number"),
    (called(GOOD_ANSWER), TOOL, {"card": "owl"}),
    (called({"card": "owl"}), TOOL, {"card": "owl"}),
    (called(json.dumps(GOOD_ANSWER)), TOOL, {"card": "owl"}),
    (called('{"card": "owl"'), TOOL, "unfinished"),
    (called(None, content=GOOD_ANSWER), TOOL, {"card": "owl"}),
    (
        completion(None, message={"tool_calls": [{"function": {"name": "answer", "arguments": a}} for a in [GOOD_ANSWER] * 2]}),
        TOOL,
        {"card": "owl"},
    ),
    (
        completion(
            None,
            message={
                "tool_calls": [{"function": {"name": "answer", "arguments": a}} for a in (GOOD_ANSWER, '{"card": "key"}')]
            },
        ),
        TOOL,
        "ambiguous",
    ),
    (completion('<tool_call>{"name": "answer", "arguments": {"card": "owl"}}</tool_call>'), TOOL, {"card": "owl"}),
    (completion([{"type": "text", "text": '{"card": '}, {"type": "text", "text": '"owl"}'}]), JSON, {"card": "owl"}),
    (completion(GOOD_ANSWER, message={"reasoning_content": '{"card": "key"}'}), JSON, {"card": "owl"}),
    (completion("[" * 5000), JSON, "too_deep"),
    (completion('{"card": ' + "9" * 5000 + "}"), JSON, "bad_number"),
    (completion('{"card": "\ud800owl"}'), JSON, {"card": "\ufffdowl"}),
    (completion(GOOD_ANSWER, choice={"finish_reason": "completed"}), JSON, {"card": "owl"}),
    (completion(GOOD_ANSWER, choice={"finish_reason": ["stop"]}), JSON, {"card": "owl"}),
    (completion(f"I take {GOOD_ANSWER}", choice={"finish_reason": None}), JSON, {"card": "owl"}),
    (completion("the owl", choice={"finish_reason": "eos_token"}), JSON, "no_object"),
]
