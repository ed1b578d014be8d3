"""Refusals: the outcome of each error, by its status, its names, and the parts of the request it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from runner.json_types import JsonObject
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome, Reply, Scope
from runner.llm.refused import Refused
from runner.llm.wire import headers as header
from runner.llm.wire.error_object import ErrorObject
from runner.llm.wire.parameters import names_model, refused_parts
from runner.llm.wire.request_fields import form_field, names_pinned
from runner.llm.wire.token_room import room_for_reply

_DAILY = re.compile(r"per[- ]?day|daily", re.IGNORECASE)
_CONTEXT = re.compile(
    r"context[_ -](?:length|window|size|limit)|maximum context|prompt is too long|too many tokens|string_too_long|n_ctx"
    r"|exceed\w* (?:the )?context|\bcontext\b[^.]*\btokens\b|\btokens\b[^.]*\bcontext\b",
    re.IGNORECASE,
)
_NO_MODEL_LABEL = re.compile(
    r"(?:model|deployment).*(?:not_?found|not_?exist|invalid|unknown|decommission|deprecat|retired|not_?available|unavailable)"
    r"|(?:invalid|unknown|no_such)_?model|^not_?found(?:_?error)?$|wrong_endpoint|free_variant_ended|no_endpoints",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model\b.{0,80}\b(?:not found|does not exist|not exist|not loaded|decommissioned|retired|discontinued|deprecated"
    r"|no longer (?:available|supported|served))|no (?:such )?model|not a valid model|unknown model|invalid model\b",
    re.IGNORECASE | re.DOTALL,
)
_KEY_LABEL = re.compile(
    r"api_?key_?(?:invalid|expired)|(?:invalid|incorrect|expired)_?api_?key|authentication|unauthenticated", re.IGNORECASE
)
_BAD_KEY = re.compile(
    r"\bapi[ _-]?key\b.{0,30}\b(?:not valid|invalid|expired|incorrect)|(?:invalid|incorrect|expired)\W+api[ _-]?key",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(
    r"(?:credit|account) balance|insufficient (?:funds|balance|credits?)|(?:purchase|out of) credits", re.IGNORECASE
)
_REGION = re.compile(r"(?:location|region|country|territory)\b.{0,40}\bnot (?:supported|available|allowed)", re.IGNORECASE)
_UNABLE = re.compile(r"requested parameters|endpoints found that|not support|support the provided", re.IGNORECASE)
_INPUT_FILTER = re.compile(r"\bprompt\b|\binput\b|\brequest\b", re.IGNORECASE)
_SPENT = {"insufficient_quota", "payment_required", "openrouter_credits", "billing_hard_limit_reached"}
_BUDGETS = {"openrouter_key_limit", "openrouter_workspace_budget", "openrouter_guardrail_budget"}
_UPSTREAM = {502: "bad_gateway", 503: "overloaded", 504: "upstream_timeout", 524: "upstream_timeout", 529: "overloaded"}
_NOT_IMPLEMENTED = 501
_REFUSED_WITH_500 = (500, _NOT_IMPLEMENTED)
"""Statuses with which local servers refuse parameters that they do not know."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The request that an error answers: its body, the letters of its prompt, and the time now (epoch seconds)."""

    body: JsonObject
    letters: int
    now: float


def classify(error: ErrorObject, asked: Asked, reply: Reply | None = None) -> Outcome:
    """The outcome of an error. Where it quotes what the model wrote, that is the answer, complete or not."""
    if error.generation is not None and error.status < 500:
        return Delivered(replace(reply or Reply(), text=error.generation))
    if error.availability.get("retryable") is True and error.status not in (402, 429):
        return Infrastructure("unavailable", error.sentence, error.wait, reply, "model")
    by_status = {
        401: _key,
        402: _payment,
        403: _forbidden,
        404: _absent,
        405: _absent,
        410: _absent,
        413: _too_large,
        429: _throttled,
    }
    judge = by_status.get(error.status)
    if judge is not None:
        return judge(error, asked, reply)
    if error.status in (408, 409, 425):
        return Infrastructure("timeout_reported", error.sentence, error.wait, reply)
    if error.status >= 500:
        return _server(error, asked, reply)
    return _request(error, asked, reply)


def _key(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    return Configuration("key_refused", error.sentence, "key", reply)


def _payment(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    """402: credit reserved for calls in flight comes back, so wait; spent credit does not."""
    in_flight = "openrouter_in_flight_budget" in error.names
    if in_flight or (error.wait is not None and not error.names & _SPENT):
        return Infrastructure("in_flight_budget", error.sentence, error.wait, reply, "key")
    return Configuration("no_credit", error.sentence, "key", reply)


def _forbidden(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    """403: a spending limit, a content filter on the prompt, or a model that is not allowed here."""
    metadata = error.metadata
    if error.names & _BUDGETS or "resets_at" in metadata:
        return Configuration("key_limit", error.sentence, "key", reply, header.moment(metadata.get("resets_at")))
    if "patterns" in metadata or "injection" in error.message.lower():
        return Infrastructure("input_guardrail", error.sentence, error.wait, reply)
    if "reasons" in metadata or "flagged_input" in metadata or "moderation" in error.message.lower():
        return Infrastructure("input_moderated", error.sentence, error.wait, reply)
    if error.places and (refused := refused_parts(error, asked.body, asked.letters, is_certain=False)):
        return _changeable(error, refused, reply)
    kind = "region_restricted" if "region_restricted" in error.names else "forbidden"
    return Configuration(kind, error.sentence, "model", reply)


def _absent(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    """404 and 405: no provider takes the parameters, a data policy excludes them all, or no such model."""
    words = error.message.lower()
    if "constraint_filtered" in error.names or _UNABLE.search(error.message):
        refused = refused_parts(error, asked.body, asked.letters)
        return _changeable(error, refused or Refused(form=form_field(asked.body)), reply)
    kind = "privacy_restricted" if "privacy_restricted" in error.names or "data policy" in words else "no_such_model"
    advice = error.availability.get("fallback_models")
    names = f"; the endpoint suggests {', '.join(map(str, advice[:5]))}" if isinstance(advice, list) and advice else ""
    return Configuration(kind, error.sentence + names, "model", reply)


def _too_large(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    return Configuration("context_length", error.sentence, "match", reply)


def _throttled(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    """429: a daily quota stops the model until it resets; any other rate limit pauses it."""
    if error.names & _SPENT:
        return Configuration("no_credit", error.sentence, "key", reply)
    if _DAILY.search(error.message):
        until = error.quota_reset or header.next_utc_midnight(asked.now)
        return Configuration("daily_quota", error.sentence, "model", reply, until)
    wait = error.wait
    if wait is None and error.quota_reset is not None:
        wait = max(error.quota_reset - asked.now, 0.0)
    return Infrastructure("throttled", error.sentence, wait, reply, "model")


def _server(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    """5xx: the provider failed. Local servers answer 500 to parameters they do not know."""
    if error.status in _REFUSED_WITH_500:
        refused = refused_parts(error, asked.body, asked.letters, is_certain=False)
        if refused or error.status == _NOT_IMPLEMENTED:
            return _changeable(error, refused, reply)
    kind = _UPSTREAM.get(error.status, "server_error")
    holds: Scope = "model" if error.wait is not None else "match"
    return Infrastructure(kind, error.sentence, error.wait, reply, holds)


def _request(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome:
    """400, 422 and others: a refusal by the model, an unknown model, the context, a part of the request, or the account."""
    names = error.names
    if "refusal" in names:
        return ModelMistake("refused", error.sentence, reply or Reply())
    if names & {"content_policy_violation", "content_filter"}:
        return _filtered(error, reply)
    if any(map(_KEY_LABEL.search, error.labels)):
        return _key(error, asked, reply)
    if any(_NO_MODEL_LABEL.search(label) for label in error.labels):
        return Configuration("no_such_model", error.sentence, "model", reply)
    if _is_context(error):
        room = room_for_reply(error, asked.body, asked.letters)
        return _too_large(error, asked, reply) if room is None else _changeable(error, Refused(bound=True, room=room), reply)
    refused = refused_parts(error, asked.body, asked.letters)
    if not refused and (_NO_MODEL.search(error.message) or names_model(error)):
        return Configuration("no_such_model", error.sentence, "model", reply)
    if not refused and (account := _account(error, asked, reply)) is not None:
        return account
    if not refused and names_pinned(error.places, error.words, asked.body):
        return Configuration("bad_request", error.sentence, "match", reply)
    return _changeable(error, refused, reply)


def _account(error: ErrorObject, asked: Asked, reply: Reply | None) -> Outcome | None:
    """What a 400 says about the account in words alone, as Anthropic and Google do; None if nothing."""
    if _BAD_KEY.search(error.message):
        return _key(error, asked, reply)
    if _NO_CREDIT.search(error.message):
        return Configuration("no_credit", error.sentence, "key", reply)
    return Configuration("region_restricted", error.sentence, "model", reply) if _REGION.search(error.message) else None


def _is_context(error: ErrorObject) -> bool:
    return any(map(_CONTEXT.search, (*error.labels, error.message)))


def _changeable(error: ErrorObject, refused: Refused, reply: Reply | None) -> Configuration:
    """A refusal after which a changed request may be accepted."""
    return Configuration(refused.kind, error.sentence, "model" if refused else "match", reply, refused=refused)


def _filtered(error: ErrorObject, reply: Reply | None) -> Outcome:
    """A content filter: on the prompt, or on the model's answer."""
    if "flagged_input" in error.metadata or _INPUT_FILTER.search(error.message):
        return Infrastructure("input_moderated", error.sentence, error.wait, reply)
    return ModelMistake("filtered", error.sentence, reply or Reply())
