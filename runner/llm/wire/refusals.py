"""Error objects: what the endpoint says is wrong, in all the shapes it says it, and what that means for the call.

Shapes: OpenRouter {"error": {code, message, metadata{error_type, limit_source, ...}, availability{...}}}; OpenAI
{"error": {code: "string", type, message, param}}; Ollama {"error": "text"}; vLLM {"object": "error", message, code};
FastAPI {"detail": ...}; Google [{"error": {...}}].
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
"""OpenRouter's error_type to the status it stands for, for errors inside a 200 that carry no code."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error object taken apart. `status` is the error's own code, else that of the response."""

    status: int
    message: str
    code: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    availability: Mapping[str, Any] = field(default_factory=dict)
    wait: float | None = None
    quota_reset: float | None = None

    @property
    def names(self) -> set[str]:
        """Every machine-readable name the error bears."""
        found = (self.code, self.metadata.get("error_type"), self.metadata.get("limit_source"), self.availability.get("code"))
        return {name for name in found if isinstance(name, str) and name}

    @property
    def sentence(self) -> str:
        """The error in words, for people: one line, bounded."""
        provider = self.metadata.get("provider_name")
        words = " ".join(self.message.split())[:_SHOWN] or "no reason given"
        return f"{self.status} from {provider}: {words}" if provider else f"{self.status}: {words}"


def taken_apart(document: Any, status: int, headers: Mapping[str, str], now: float) -> Refusal:
    """The refusal in an error body, whatever its shape. `now` in epoch seconds."""
    error = _error_object(document)
    metadata = {**_mapping(error.get("metadata"))}
    metadata.setdefault("error_type", error.get("error_type") or error.get("type"))
    availability = _mapping(error.get("availability") or metadata.get("availability"))
    waits = (header.retry_after(headers, now), header.number(availability.get("retry_after")),
             header.number(metadata.get("retry_after_seconds")))  # fmt: skip
    return Refusal(
        status=_status(error, metadata, status),
        message=_message(error, metadata),
        code=error["code"] if isinstance(error.get("code"), str) else "",
        metadata=metadata,
        availability=availability,
        wait=max((wait for wait in waits if wait is not None), default=None),
        quota_reset=header.quota_reset(headers, metadata, now),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _error_object(document: Any) -> Mapping[str, Any]:
    if isinstance(document, list) and document:
        document = document[0]
    if not isinstance(document, Mapping):
        return {"message": document if isinstance(document, str) else ""}
    error = document.get("error", document)
    if isinstance(error, str):
        return {**document, "message": error}
    return _mapping(error)


def _status(error: Mapping[str, Any], metadata: Mapping[str, Any], status: int) -> int:
    code = header.number(error.get("code") or error.get("http_status") or error.get("status_code"))
    if code is not None and 400 <= code < 600:
        return int(code)
    if status >= 400:
        return status
    return _TYPES.get(str(metadata.get("error_type")), _TYPES.get(str(error.get("code")), 500))


def _message(error: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    parts = [error.get("message") or error.get("detail") or "", metadata.get("raw") or ""]
    return " ".join(part if isinstance(part, str) else json.dumps(part)[:2000] for part in parts if part)


def judged(refusal: Refusal, asked: Mapping[str, Any], now: float, reply: Reply | None = None) -> Outcome:
    """What a refusal means for the call whose body was `asked`."""
    if refusal.availability.get("retryable") is True and refusal.status not in (402, 429):
        return Infrastructure("unavailable", refusal.sentence, refusal.wait, reply, "model")
    by_status = {401: _key, 402: _payment, 403: _forbidden, 404: _absent, 405: _absent, 413: _too_large, 429: _throttled}
    judge = by_status.get(refusal.status)
    if judge is not None:
        return judge(refusal, asked, now, reply)
    if refusal.status in (408, 409, 425):
        return Infrastructure("timeout_reported", refusal.sentence, refusal.wait, reply)
    if refusal.status >= 500:
        return _server(refusal, asked, reply)
    return _request(refusal, asked, reply)


def _key(refusal: Refusal, asked: Mapping[str, Any], now: float, reply: Reply | None) -> Outcome:
    """Catalogue row 21."""
    return Configuration("key_refused", refusal.sentence, "key", reply)


def _payment(refusal: Refusal, asked: Mapping[str, Any], now: float, reply: Reply | None) -> Outcome:
    """Catalogue rows 22 and 23: money already promised to calls in flight comes back, money spent does not."""
    in_flight = "openrouter_in_flight_budget" in refusal.names
    if in_flight or (refusal.wait is not None and not refusal.names & _SPENT):
        return Infrastructure("in_flight_budget", refusal.sentence, refusal.wait, reply, "key")
    return Configuration("no_credit", refusal.sentence, "key", reply)


def _forbidden(refusal: Refusal, asked: Mapping[str, Any], now: float, reply: Reply | None) -> Outcome:
    """Catalogue rows 24 to 27."""
    metadata = refusal.metadata
    if refusal.names & _BUDGETS or "resets_at" in metadata:
        return Configuration("key_limit", refusal.sentence, "key", reply, header.moment(metadata.get("resets_at")))
    if "patterns" in metadata or "injection" in refusal.message.lower():
        return Infrastructure("input_guardrail", refusal.sentence, refusal.wait, reply)
    if "reasons" in metadata or "flagged_input" in metadata or "moderation" in refusal.message.lower():
        return Infrastructure("input_moderated", refusal.sentence, refusal.wait, reply)
    kind = "region_restricted" if "region_restricted" in refusal.names else "forbidden"
    return Configuration(kind, refusal.sentence, "model", reply)


def _absent(refusal: Refusal, asked: Mapping[str, Any], now: float, reply: Reply | None) -> Outcome:
    """Catalogue rows 27 to 29."""
    words = refusal.message.lower()
    if "constraint_filtered" in refusal.names or _UNABLE.search(refusal.message):
        return form_refusal(refusal.sentence, refusal.message, asked, reply)
    kind = "privacy_restricted" if "privacy_restricted" in refusal.names or "data policy" in words else "no_such_model"
    advice = refusal.availability.get("fallback_models")
    names = f"; the endpoint suggests {', '.join(map(str, advice[:5]))}" if isinstance(advice, list) and advice else ""
    return Configuration(kind, refusal.sentence + names, "model", reply)


def _too_large(refusal: Refusal, asked: Mapping[str, Any], now: float, reply: Reply | None) -> Outcome:
    """Catalogue row 31."""
    return Configuration("context_length", refusal.sentence, "match", reply)


def _throttled(refusal: Refusal, asked: Mapping[str, Any], now: float, reply: Reply | None) -> Outcome:
    """Catalogue rows 15 to 17: a daily quota ends the day, any other one only holds the model."""
    if refusal.names & _SPENT:
        return Configuration("no_credit", refusal.sentence, "key", reply)
    if _DAILY.search(refusal.message):
        until = refusal.quota_reset or header.next_utc_midnight(now)
        return Configuration("daily_quota", refusal.sentence, "model", reply, until)
    wait = refusal.wait
    if wait is None and refusal.quota_reset is not None:
        wait = max(refusal.quota_reset - now, 0.0)
    return Infrastructure("throttled", refusal.sentence, wait, reply, "model")


def _server(refusal: Refusal, asked: Mapping[str, Any], reply: Reply | None) -> Outcome:
    """Catalogue rows 9, 19, 20 and 30: local servers answer 500 to parameters they do not know."""
    if refusal.status == 500:
        refused = parameter_refusal(refusal.sentence, refusal.message, asked, reply)
        if refused is not None:
            return refused
    kind = _UPSTREAM.get(refusal.status, "server_error")
    holds: Scope = "model" if refusal.wait is not None else "match"
    return Infrastructure(kind, refusal.sentence, refusal.wait, reply, holds)


def _request(refusal: Refusal, asked: Mapping[str, Any], reply: Reply | None) -> Outcome:
    """Catalogue rows 28 and 30 to 34: what 400, 422 and the like can mean."""
    names, sentence = refusal.names, refusal.sentence
    if "refusal" in names:
        return ModelMistake("refused", sentence, reply or Reply())
    if names & {"content_policy_violation", "content_filter"}:
        return _filtered(refusal, reply)
    if names & _GONE or _MISSING_MODEL.search(refusal.message):
        return Configuration("no_such_model", sentence, "model", reply)
    limited = token_limit(sentence, refusal.message, names, asked, reply)
    if limited is not None:
        return limited
    if names & {"context_length_exceeded", "string_too_long"} or _CONTEXT.search(refusal.message):
        return Configuration("context_length", sentence, "match", reply)
    refused = parameter_refusal(sentence, refusal.message, asked, reply)
    return refused or Configuration("bad_request", sentence, "match", reply)


def _filtered(refusal: Refusal, reply: Reply | None) -> Outcome:
    """Catalogue row 34, or row 25 when it was the prompt that the filter refused."""
    if "flagged_input" in refusal.metadata or _INPUT_FILTER.search(refusal.message):
        return Infrastructure("input_moderated", refusal.sentence, refusal.wait, reply)
    return ModelMistake("filtered", refusal.sentence, reply or Reply())
