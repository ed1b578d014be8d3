"""Error objects: every shape in which endpoints report an error, and the outcome of each error.

Shapes: OpenRouter {"error": {code, message, metadata{error_type, limit_source, ...}, availability{...}}}; OpenAI
{"error": {code: "string", type, message, param}}; Ollama {"error": "text"}; vLLM {"object": "error", message, code};
FastAPI {"detail": ...}; Google [{"error": {...}}].
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from runner.json_types import JsonObject
from runner.llm.outcome import Configuration, Infrastructure, ModelMistake, Outcome, Reply, Scope
from runner.llm.wire import headers as header
from runner.llm.wire.parameters import form_refusal, parameter_refusal, token_limit

_SHOWN = 300
_DAILY = re.compile(r"per[- ]?day|daily", re.IGNORECASE)
_CONTEXT = re.compile(
    r"context[_ -](?:length|window|size)|maximum context|prompt is too long|too many tokens|string_too_long|n_ctx",
    re.IGNORECASE,
)
_MISSING_MODEL = re.compile(
    r"model\b.{0,80}\b(?:not found|does not exist|not exist|not loaded)|no (?:such )?model", re.IGNORECASE
)
_UNABLE = re.compile(r"requested parameters|endpoints found that|not support|support the provided", re.IGNORECASE)
_INPUT_FILTER = re.compile(r"\bprompt\b|\binput\b|\brequest\b", re.IGNORECASE)
_SPENT = {"insufficient_quota", "payment_required", "openrouter_credits", "billing_hard_limit_reached"}
_BUDGETS = {"openrouter_key_limit", "openrouter_workspace_budget", "openrouter_guardrail_budget"}
_GONE = {
    "model_not_found", "model_deprecated", "free_variant_ended", "no_endpoints", "model_unavailable_upstream", "wrong_endpoint",
}  # fmt: skip
_UPSTREAM = {502: "bad_gateway", 503: "overloaded", 504: "upstream_timeout", 524: "upstream_timeout", 529: "overloaded"}
_TYPES = {
    "authentication": 401, "payment_required": 402, "rate_limit_exceeded": 429, "provider_overloaded": 503,
    "provider_unavailable": 502, "timeout": 504, "server": 500, "unmapped": 500, "not_found": 404,
    "payload_too_large": 413, "unprocessable": 422, "invalid_request": 400, "invalid_prompt": 400,
}  # fmt: skip
"""OpenRouter's error_type and its status, for errors inside a 200 without a code."""


@dataclass(frozen=True, slots=True)
class ErrorObject:
    """The parts of an error. `status` is the error's own code, else the response's."""

    status: int
    message: str
    code: str = ""
    metadata: JsonObject = field(default_factory=dict)
    availability: JsonObject = field(default_factory=dict)
    wait: float | None = None
    quota_reset: float | None = None

    @property
    def names(self) -> set[str]:
        """All machine-readable names of the error."""
        found = (self.code, self.metadata.get("error_type"), self.metadata.get("limit_source"), self.availability.get("code"))
        return {name for name in found if isinstance(name, str) and name}

    @property
    def sentence(self) -> str:
        """The error for people: one bounded line."""
        provider = self.metadata.get("provider_name")
        words = " ".join(self.message.split())[:_SHOWN] or "no reason given"
        return f"{self.status} from {provider}: {words}" if provider else f"{self.status}: {words}"


def parse_error(document: object, status: int, headers: Mapping[str, str], now: float) -> ErrorObject:
    """The error in a body of any shape. `now` is in epoch seconds."""
    error = _error_object(document)
    metadata = {**_mapping(error.get("metadata"))}
    metadata.setdefault("error_type", error.get("error_type") or error.get("type"))
    availability = _mapping(error.get("availability") or metadata.get("availability"))
    waits = (header.retry_after(headers, now), header.number(availability.get("retry_after")),
             header.number(metadata.get("retry_after_seconds")))  # fmt: skip
    return ErrorObject(
        status=_status(error, metadata, status),
        message=_message(error, metadata),
        code=code if isinstance(code := error.get("code"), str) else "",
        metadata=metadata,
        availability=availability,
        wait=max((wait for wait in waits if wait is not None), default=None),
        quota_reset=header.quota_reset(headers, metadata, now),
    )


def _mapping(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _error_object(document: object) -> JsonObject:
    if isinstance(document, list) and document:
        document = document[0]
    if not isinstance(document, Mapping):
        return {"message": document if isinstance(document, str) else ""}
    error = document.get("error", document)
    if isinstance(error, str):
        return {**document, "message": error}
    return _mapping(error)


def _status(error: JsonObject, metadata: JsonObject, status: int) -> int:
    code = header.number(error.get("code") or error.get("http_status") or error.get("status_code"))
    if code is not None and 400 <= code < 600:
        return int(code)
    if status >= 400:
        return status
    return _TYPES.get(str(metadata.get("error_type")), _TYPES.get(str(error.get("code")), 500))


def _message(error: JsonObject, metadata: JsonObject) -> str:
    parts = [error.get("message") or error.get("detail") or "", metadata.get("raw") or ""]
    return " ".join(part if isinstance(part, str) else json.dumps(part)[:2000] for part in parts if part)


def classify(error: ErrorObject, asked: JsonObject, now: float, reply: Reply | None = None) -> Outcome:
    """The outcome of an error for the call with the body `asked`."""
    if error.availability.get("retryable") is True and error.status not in (402, 429):
        return Infrastructure("unavailable", error.sentence, error.wait, reply, "model")
    by_status = {401: _key, 402: _payment, 403: _forbidden, 404: _absent, 405: _absent, 413: _too_large, 429: _throttled}
    judge = by_status.get(error.status)
    if judge is not None:
        return judge(error, asked, now, reply)
    if error.status in (408, 409, 425):
        return Infrastructure("timeout_reported", error.sentence, error.wait, reply)
    if error.status >= 500:
        return _server(error, asked, reply)
    return _request(error, asked, reply)


def _key(error: ErrorObject, asked: JsonObject, now: float, reply: Reply | None) -> Outcome:
    return Configuration("key_refused", error.sentence, "key", reply)


def _payment(error: ErrorObject, asked: JsonObject, now: float, reply: Reply | None) -> Outcome:
    """402: credit reserved for calls in flight comes back, so wait; spent credit does not."""
    in_flight = "openrouter_in_flight_budget" in error.names
    if in_flight or (error.wait is not None and not error.names & _SPENT):
        return Infrastructure("in_flight_budget", error.sentence, error.wait, reply, "key")
    return Configuration("no_credit", error.sentence, "key", reply)


def _forbidden(error: ErrorObject, asked: JsonObject, now: float, reply: Reply | None) -> Outcome:
    """403: a spending limit, a content filter on the prompt, or a model that is not allowed here."""
    metadata = error.metadata
    if error.names & _BUDGETS or "resets_at" in metadata:
        return Configuration("key_limit", error.sentence, "key", reply, header.moment(metadata.get("resets_at")))
    if "patterns" in metadata or "injection" in error.message.lower():
        return Infrastructure("input_guardrail", error.sentence, error.wait, reply)
    if "reasons" in metadata or "flagged_input" in metadata or "moderation" in error.message.lower():
        return Infrastructure("input_moderated", error.sentence, error.wait, reply)
    kind = "region_restricted" if "region_restricted" in error.names else "forbidden"
    return Configuration(kind, error.sentence, "model", reply)


def _absent(error: ErrorObject, asked: JsonObject, now: float, reply: Reply | None) -> Outcome:
    """404 and 405: no provider takes the parameters, a data policy excludes them all, or no such model."""
    words = error.message.lower()
    if "constraint_filtered" in error.names or _UNABLE.search(error.message):
        return form_refusal(error.sentence, error.message, asked, reply)
    kind = "privacy_restricted" if "privacy_restricted" in error.names or "data policy" in words else "no_such_model"
    advice = error.availability.get("fallback_models")
    names = f"; the endpoint suggests {', '.join(map(str, advice[:5]))}" if isinstance(advice, list) and advice else ""
    return Configuration(kind, error.sentence + names, "model", reply)


def _too_large(error: ErrorObject, asked: JsonObject, now: float, reply: Reply | None) -> Outcome:
    return Configuration("context_length", error.sentence, "match", reply)


def _throttled(error: ErrorObject, asked: JsonObject, now: float, reply: Reply | None) -> Outcome:
    """429: a daily quota stops the model until it resets; any other rate limit pauses it."""
    if error.names & _SPENT:
        return Configuration("no_credit", error.sentence, "key", reply)
    if _DAILY.search(error.message):
        until = error.quota_reset or header.next_utc_midnight(now)
        return Configuration("daily_quota", error.sentence, "model", reply, until)
    wait = error.wait
    if wait is None and error.quota_reset is not None:
        wait = max(error.quota_reset - now, 0.0)
    return Infrastructure("throttled", error.sentence, wait, reply, "model")


def _server(error: ErrorObject, asked: JsonObject, reply: Reply | None) -> Outcome:
    """5xx: the provider failed. Local servers answer 500 to parameters they do not know."""
    if error.status == 500:
        refused = parameter_refusal(error.sentence, error.message, asked, reply)
        if refused is not None:
            return refused
    kind = _UPSTREAM.get(error.status, "server_error")
    holds: Scope = "model" if error.wait is not None else "match"
    return Infrastructure(kind, error.sentence, error.wait, reply, holds)


def _request(error: ErrorObject, asked: JsonObject, reply: Reply | None) -> Outcome:
    """400, 422 and others: a refusal by the model, an unknown model, a limit, the context, or a parameter."""
    names, sentence = error.names, error.sentence
    if "refusal" in names:
        return ModelMistake("refused", sentence, reply or Reply())
    if names & {"content_policy_violation", "content_filter"}:
        return _filtered(error, reply)
    if names & _GONE or _MISSING_MODEL.search(error.message):
        return Configuration("no_such_model", sentence, "model", reply)
    limited = token_limit(sentence, error.message, names, asked, reply)
    if limited is not None:
        return limited
    if names & {"context_length_exceeded", "string_too_long"} or _CONTEXT.search(error.message):
        return Configuration("context_length", sentence, "match", reply)
    refused = parameter_refusal(sentence, error.message, asked, reply)
    return refused or Configuration("bad_request", sentence, "match", reply)


def _filtered(error: ErrorObject, reply: Reply | None) -> Outcome:
    """A content filter: on the prompt, or on the model's answer."""
    if "flagged_input" in error.metadata or _INPUT_FILTER.search(error.message):
        return Infrastructure("input_moderated", error.sentence, error.wait, reply)
    return ModelMistake("filtered", error.sentence, reply or Reply())
